import MenuOutlined from '@ant-design/icons/MenuOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import { Button } from 'antd'
import type { Ref } from 'react'
import { Link } from 'react-router-dom'
import { useLiveState } from '../shared/live/use-live.ts'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { Brand } from '../ui/brand.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { RecentMessagesButton } from './recent-messages-button.tsx'
import { SimulatedMark } from './simulated-mark.tsx'
import { TradingSwitch } from './trading-switch.tsx'
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
      <Link to={paths.dashboard} className="shell-brand">
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
    <span className={`connection connection-${state.phase}`} role="img" aria-label={said} title={said}>
      <span className="connection-dot" />
    </span>
  )
}
