import MenuOutlined from '@ant-design/icons/MenuOutlined'
import PauseCircleOutlined from '@ant-design/icons/PauseCircleOutlined'
import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { Button } from 'antd'
import { type Ref, useState } from 'react'
import { Link } from 'react-router-dom'
import { useLiveState } from '../shared/live/use-live.ts'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { Brand } from '../ui/brand.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { RecentMessagesButton } from './recent-messages-button.tsx'
import { SimulatedMark } from './simulated-mark.tsx'
import { TradingDialog } from './trading-dialog.tsx'
import { useTradingSwitch } from './use-trading-switch.ts'
import { UserMenu } from './user-menu.tsx'

interface ShellHeaderProps {
  menuButton: Ref<HTMLButtonElement>
  onOpenNavigation: () => void
  onOpenPalette: () => void
}

/** The bar that stays at the top of every screen. */
export function ShellHeader({ menuButton, onOpenNavigation, onOpenPalette }: ShellHeaderProps) {
  return (
    <header className="shell-header">
      <Button
        ref={menuButton}
        className="shell-menu-button"
        type="text"
        icon={<MenuOutlined aria-hidden="true" />}
        aria-label={texts.shell.openNavigation}
        onClick={onOpenNavigation}
      />
      <Link to={paths.dashboard} className="brand-link">
        <Brand />
      </Link>
      <SimulatedMark />
      <span className="shell-header-space" />
      <Button
        className="palette-button"
        onClick={onOpenPalette}
        icon={<SearchOutlined aria-hidden="true" />}
        aria-label={`${texts.palette.open} ${texts.palette.key}`}
      >
        <span className="header-word">{texts.palette.open} </span>
        <kbd className="header-word">{texts.palette.key}</kbd>
      </Button>
      <span className="shell-header-space" />
      <ConnectionDot />
      <TradingSwitch />
      <RecentMessagesButton />
      <ThemeToggle />
      <UserMenu />
    </header>
  )
}

/** Whether the live events come in, as a dot with its words behind it. */
function ConnectionDot() {
  const state = useLiveState()
  const { live, connecting, reconnecting } = texts.connection
  const said =
    state.phase === 'reconnecting' ? reconnecting(state.attempt) : { live, connecting }[state.phase]
  return (
    <span className={`sign connection-${state.phase}`} role="img" aria-label={said} title={said}>
      <span className="connection-dot" />
    </span>
  )
}

/** Pauses or halts the trading of all bots, or resumes it, once the person has confirmed. */
function TradingSwitch() {
  const { next, isUnknown, isAsking, askAgain } = useTradingSwitch()
  const [isOpen, setOpen] = useState(false)
  if (isUnknown) return <TradingUnknown isAsking={isAsking} onAsk={askAgain} />
  const isActive = next === 'reducing'
  const label = isActive ? texts.trading.pause : texts.trading.resume
  return (
    <>
      <Button
        className={isActive ? 'trading-switch' : 'trading-switch trading-switch-paused'}
        icon={
          isActive ? <PauseCircleOutlined aria-hidden="true" /> : <PlayCircleOutlined aria-hidden="true" />
        }
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        <span className="header-word">{label}</span>
      </Button>
      <TradingDialog isOpen={isOpen} to={next} onClose={() => setOpen(false)} />
    </>
  )
}

/** Stands where the switch would, so that nobody takes its absence for a state. */
function TradingUnknown({ isAsking, onAsk }: { isAsking: boolean; onAsk: () => void }) {
  const label = texts.trading.stateUnknown
  return (
    <Button
      className="trading-switch trading-switch-unknown"
      icon={<WarningOutlined aria-hidden="true" />}
      loading={isAsking}
      aria-label={label}
      title={label}
      onClick={onAsk}
    >
      <span className="header-word">{label}</span>
    </Button>
  )
}
