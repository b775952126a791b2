import { texts } from '../shared/texts.ts'
import { useTradingSwitch } from './use-trading-switch.ts'

/** Says on every screen that not everything is traded now. */
export function TradingBanner() {
  const { state } = useTradingSwitch()
  const { pausedNotice, haltedNotice } = texts.trading
  return (
    <div role="status">
      {state !== undefined && state !== 'active' && (
        <p className="banner banner-trading">
          <span aria-hidden="true">‖</span> {state === 'halted' ? haltedNotice : pausedNotice}
        </p>
      )}
    </div>
  )
}
