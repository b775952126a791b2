import type { KeyView } from '@tripline/proto/http/key'
import { Drawer } from 'antd'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { texts } from './texts.ts'
import { TradingLimits } from './trading-limits.tsx'
import { TradingStates } from './trading-states.tsx'
import { useKeyTrading } from './use-key-trading.ts'

const { trading: words } = texts

/** The state and the limits of a bot's trading. */
export function TradingDrawer({ bot, onClose }: { bot: KeyView; onClose: () => void }) {
  useFocusReturn()
  const { trading, error, askAgain } = useKeyTrading(bot.id)
  const isLoading = trading === undefined && error === undefined
  return (
    <Drawer title={words.title(bot.label)} open size={480} onClose={onClose} loading={isLoading}>
      {error !== undefined && (
        <LoadFailure title={trading ? words.old : words.loadFailure} error={error} onRetry={askAgain} />
      )}
      {trading && (
        <>
          <TradingStates bot={bot} current={trading.state} />
          <TradingLimits bot={bot} trading={trading} />
        </>
      )}
    </Drawer>
  )
}
