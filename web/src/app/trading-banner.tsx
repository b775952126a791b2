import { Button } from 'antd'
import { texts } from '../shared/texts.ts'
import { BannerText } from './banner-text.tsx'
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
        <p className="banner banner-trading">
          <BannerText glyph="‖" text={state === 'halted' ? haltedNotice : pausedNotice} />
        </p>
      )}
      {isOld && (
        <p className="banner banner-outage">
          <BannerText glyph="⚠" text={stateOld} />
          <Button size="small" loading={isAsking} onClick={askAgain}>
            {texts.general.retry}
          </Button>
        </p>
      )}
    </div>
  )
}
