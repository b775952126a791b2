import type { KeyView } from '@tripline/proto/http/key'
import { Drawer } from 'antd'
import { useGetKeyTradingQuery } from '../../shared/client.ts'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { texts } from './texts.ts'
import { TradingLimits } from './trading-limits.tsx'
import { TradingStates } from './trading-states.tsx'

const { trading: words } = texts

/** How a bot may trade: its state and its limits. */
export function TradingDrawer({ bot, onClose }: { bot: KeyView; onClose: () => void }) {
  useFocusReturn()
  const { data: trading, isError } = useGetKeyTradingQuery(bot.id)
  return (
    <Drawer title={words.title(bot.label)} open size={480} onClose={onClose} loading={!trading && !isError}>
      {isError && <p role="alert">{words.loadFailure}</p>}
      {trading && (
        <>
          <TradingStates bot={bot} current={trading.state} />
          <TradingLimits bot={bot} trading={trading} />
        </>
      )}
    </Drawer>
  )
}
