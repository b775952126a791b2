import PauseCircleOutlined from '@ant-design/icons/PauseCircleOutlined'
import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import { texts } from '../shared/texts.ts'
import { TradingDialog } from './trading-dialog.tsx'
import { useTradingSwitch } from './use-trading-switch.ts'

/** Pauses or halts the trading of all bots, or resumes it, once the person has confirmed. */
export function TradingSwitch() {
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
