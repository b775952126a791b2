import { exchangeMarketOf } from '@tripline/proto/exchange'
import type { KeyTradingView, KeyView } from '@tripline/proto/http/key'
import { stricterState } from '@tripline/proto/stricter-state'
import { Button, Flex, Tag } from 'antd'
import { Link } from 'react-router-dom'
import { client } from '../../shared/client.ts'
import { exchangeName } from '../../shared/exchange-name.ts'
import { paths } from '../../shared/paths.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { lastUseOf } from './key-use.ts'
import { texts } from './texts.ts'
import { useKeyFigures } from './use-key-figures.ts'
import { useKeyTrading } from './use-key-trading.ts'

// The switch in the header asks for it, on every screen.
const { useQueryState: useStateOfAll } = client.endpoints.getTradingState

// Table and cards show the same parts.

/** The label of a bot, which leads to its executions. */
export function LabelPart({ bot: { label } }: { bot: KeyView }) {
  const query = new URLSearchParams({ api_key_label: label })
  return (
    <Link className="key-label" to={`${paths.executions}?${query}`} title={texts.history(label)}>
      {label}
    </Link>
  )
}

/** Why a bot cannot trade, where its credentials are of no use, and what to do. */
export function ProblemPart({ bot: { problem } }: { bot: KeyView }) {
  return (
    <div className="key-problem">
      <Tag color="error">
        <span aria-hidden="true">✕</span> {texts.problem}
      </Tag>{' '}
      {problem}
    </div>
  )
}

/** The name of a bot's exchange. */
export function ExchangePart({ bot: { exchange, market_type } }: { bot: KeyView }) {
  return exchangeName(exchangeMarketOf(exchange, market_type) ?? exchange)
}

/** The network of a bot's orders: real money stands out. */
export function NetworkPart({ bot: { exchange, is_testnet } }: { bot: KeyView }) {
  const network = exchange === 'paper' ? 'paper' : is_testnet ? 'testnet' : 'mainnet'
  return <Tag color={network === 'mainnet' ? 'error' : 'default'}>{texts.network[network]}</Tag>
}

/** Which of the three kinds of notifications a bot sends. */
export function NotificationsPart({ bot }: { bot: KeyView }) {
  const kinds = [
    [texts.notifications.trade, bot.notify_on_trade],
    [texts.notifications.error, bot.notify_on_error],
    [texts.notifications.fill, bot.notify_on_fill],
  ] as const
  return (
    <Flex component="span" className="notification-marks small" wrap gap="2px 10px">
      {kinds.map(([name, isOn]) => (
        <span key={name} className={isOn ? 'is-on' : 'quiet'}>
          <span aria-hidden="true">{isOn ? '✓' : '–'}</span> {name}{' '}
          <span className="visually-hidden">{texts.notifications[isOn ? 'on' : 'off']}</span>
        </span>
      ))}
    </Flex>
  )
}

/**
 * The trading state of a bot, as the way to change it: its own, or that of all bots where that allows less. An unknown
 * one is asked for again.
 */
export function TradingPart({ bot, onOpen }: { bot: KeyView; onOpen: () => void }) {
  const { trading, error, isAsking, askAgain } = useKeyTrading(bot.id)
  const { data: all } = useStateOfAll()
  const own = trading?.state
  const state = own && stricterState(own, all?.state ?? 'active')
  const isUnknown = own === undefined && error !== undefined && !isAsking
  const name = isUnknown ? texts.trading.unknown : stateName(own, state, error !== undefined)
  return (
    <Button
      size="small"
      shape="round"
      className={`trading-${state ?? 'unknown'}`}
      aria-label={texts.trading.open(bot.label, name)}
      onClick={isUnknown ? askAgain : onOpen}
    >
      {name}
    </Button>
  )
}

type TradingState = KeyTradingView['state'] | undefined

function stateName(own: TradingState, state: TradingState, isOld: boolean): string {
  if (state === undefined) return '…'
  const { states, allBots } = texts.trading
  const name = state === own ? states[state] : allBots(states[state])
  return isOld ? texts.trading.oldState(name) : name
}

/** When a bot was last named by an alert; a dash while that is not known. */
export function UsedPart({ bot }: { bot: KeyView }) {
  const { figures } = useKeyFigures()
  const usedAt = lastUseOf(figures, bot.id)
  if (usedAt === undefined) return <span className="quiet">–</span>
  if (usedAt === null) return <span className="quiet">{texts.never}</span>
  return <RelativeTime instant={usedAt} />
}

interface TestedPartProps {
  bot: KeyView
  isOpen: boolean
  onToggle: () => void
}

/** The last test and its time, as the way to what it found. */
export function TestedPart({ bot: { last_test: test }, isOpen, onToggle }: TestedPartProps) {
  if (test === null) return <span className="quiet">{texts.never}</span>
  const look = test.success ? 'success' : 'failed'
  const word = texts.connection[test.success ? 'well' : 'bad']
  return (
    <Button
      size="small"
      type="link"
      className={`tested status-${look}`}
      aria-expanded={isOpen}
      title={test.error ?? test.message}
      onClick={onToggle}
    >
      <span aria-hidden="true">{test.success ? '✓' : '✕'}</span> {word}{' '}
      <span className="quiet">
        <RelativeTime instant={test.tested_at} />
      </span>
    </Button>
  )
}
