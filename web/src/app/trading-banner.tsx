import { Button } from 'antd'
import { texts } from '../shared/texts.ts'
import { Banner } from './banner.tsx'
import { useTradingChanges } from './use-trading-changes.ts'
import { useTradingSwitch } from './use-trading-switch.ts'

/** Says on every screen that not everything is traded now, and that nobody knows whether it is. */
export function TradingBanner() {
  const { state, isOld, isAsking, askAgain } = useTradingSwitch()
  useTradingChanges(askAgain)
  const { pausedNotice, haltedNotice, stateOld } = texts.trading
  return (
    <div role="status">
      {state !== undefined && state !== 'active' && (
        <Banner tone="warning" glyph="‖" text={state === 'halted' ? haltedNotice : pausedNotice} />
      )}
      {isOld && (
        <Banner
          tone="error"
          glyph="⚠"
          text={stateOld}
          action={
            <Button size="small" loading={isAsking} onClick={askAgain}>
              {texts.general.retry}
            </Button>
          }
        />
      )}
    </div>
  )
}
