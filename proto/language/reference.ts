import type { ValueKind } from './command-table.ts'
import type { AmountBasis, CommandType, PriceBasis } from './tree.ts'

/** The texts on a command in editors and documentation; names and parameters are in the command table. */
export interface CommandReference {
  /** Its act, in one line. */
  does: string
  notes: readonly string[]
  /** Examples of the text between the braces of a block, one line each. */
  examples: readonly string[]
}

export const commandReference: Record<CommandType, CommandReference> = {
  market: {
    does: 'Buys or sells at once, at the market.',
    notes: [
      '`position` is the position to arrive at: side and amount follow from the difference, and a written side or amount is ignored (W701).',
      'Nothing to do is a success (N802).',
      'On futures a plain `%` against the last entry of the bot only closes: where that position is gone, nothing is placed (N804).',
      'A remainder of a position below the least order of the exchange is nothing to close: `position=0` succeeds and places nothing (N803).',
    ],
    examples: ['market(buy, 0.01)', 'market(sell, 50%p, reduceOnly=true)', 'market(position=-250$)'],
  },
  limit: {
    does: 'Places an order that rests in the book at its price.',
    notes: [
      '`price` and `offset` contradict one another (E209).',
      'Buys are rounded down to the tick, sells up.',
      '`postOnly` with `tif=ioc` or `tif=fok` is refused (E209).',
    ],
    examples: [
      'limit(buy, 0.01, 58000)',
      'limit(buy, 50%, offset=1%)',
      'market(buy, 0.01); limit(sell, 100%p, e2%, postOnly=true)',
    ],
  },
  stopOrder: {
    does: 'Places an order that waits for its trigger price and then trades at the market, or at a limit.',
    notes: [
      '`price` or `offset` is the trigger; `limitPrice` or `limitOffset` makes it a stop-limit, whatever it is called.',
      '`trigger` is mark on futures and last on spot where it is not written.',
      'On futures `reduceOnly` is true by itself where the side is opposite to the position.',
    ],
    examples: [
      'stop(buy, 0.01, 62000)',
      'market(buy, 0.01); stop(sell, 100%, 58000)',
      'market(buy, 0.01); stopLimit(sell, 100%p, e2%, limitOffset=0.1%)',
      'market(buy, 0.01); stopMarket(position=0, offset=3%, trigger=last)',
    ],
  },
  stopOrTakeProfit: {
    does: 'Protects a position with a stop-loss, a take-profit or both.',
    notes: [
      'Without a side it is taken from the position.',
      'Of `sl` and `tp` a bare number is absolute and `n%` is away from the market for the side.',
      'A `tp` of a position that the market has reached already is taken at once: a market order, or a limit with `tpType=limit` (refused, E508, outside the band of prices), whose fill ends the `sl` beside it.',
    ],
    examples: [
      'market(buy, 0.01); stopOrTakeProfit(amount=100%p, sl=2%, tp=4%)',
      'market(buy, 0.01); sltp(sell, 100%p, 58000, 62000, slTrigger=mark)',
    ],
  },
  oneCancelsOther: {
    does: 'Places 2 to 10 limit and stop orders of which the first to fill cancels the others.',
    notes: [
      'Its legs stand in braces; they are `limit` and `stopOrder` only (E211).',
      'On futures a leg against the position only shrinks it, also where its `position` would turn it, unless it says `reduceOnly=false`.',
      'If a leg is refused beside a stop that protects a position, the stop and the other legs stay, and the command fails with E604; legs that only enter are taken back.',
      'A partial fill of a leg reduces the others, unless `onPartial` says otherwise; after a full fill `mode=reduce` keeps the rest of larger ones.',
      'On spot orders lock coins, so there it is a pair of a stop and a limit, of one side and size. Bybit spot can have one of them at a time: the stop rests there, and the limit is held until its price is reached; it then takes the place of the stop and trades at once, and what it cannot trade gets its stop again. `postOnly` and another `onPartial` are refused there (E404).',
    ],
    examples: [
      'market(buy, 0.01); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
      'market(buy, 0.01); oco(tag=exit1, mode=reduce) { stop(sell, 100%p, e1%); limit(sell, 50%p, e2%) }',
    ],
  },
  cancel: {
    does: 'Cancels open orders of this symbol on this account.',
    notes: [
      'Without a value: all of them, conditional ones and hand-placed ones included, and OCO watches end.',
      '`tag` alone means `tagged`; with any other choice it is refused (E209).',
      '`order` is the id of one open order, as the exchange or we named it, and stands alone (E209).',
      'Its result counts what it ended (`cancelled_count`), both orders of a pair; where there was nothing, 0, which is a success (N802).',
    ],
    examples: ['cancel', 'cancel(buy)', 'cancel(tagged, exit1)', 'cancel(tag=exit1)', 'cancel(order=12345)'],
  },
  balance: {
    does: 'Reports equity, what is available, base and quote, the position and its unrealized profit.',
    notes: [],
    examples: ['balance', 'balance(USDT)'],
  },
  wait: {
    does: 'Lets time pass before the next command of the block.',
    notes: ['A bare number is seconds; at most 24 hours. Other messages for the symbol go on meanwhile.'],
    examples: ['wait(500ms)', 'wait(1.5s)'],
  },
  exchangeSettings: {
    does: 'Sets leverage, margin mode or position mode of the symbol.',
    notes: [
      'The leverage alone leaves the margin mode as it is. `leverage=cross` and `leverage=isolated` set the margin mode.',
    ],
    examples: ['exchangeSettings(leverage=10)', 'settings(20x, marginMode=isolated)', 'settings(cross)'],
  },
}

/** The unit of an amount's number, and an amount of its kind. */
export const amountReference: Record<AmountBasis, { means: string; forms: readonly string[] }> = {
  base: { means: 'base coin', forms: ['0.01'] },
  quote: { means: 'a value in the quote coin', forms: ['100$', '$100', '100q'] },
  asset: {
    means: "an amount of the coin named; the quote coin's is thus a value",
    forms: ['100 USDT', '0.01 BTC'],
  },
  percent: {
    means:
      'percent of the position where the side would shrink it (it never turns it), nothing where the position that the bot entered is gone, else of equity; on spot of the coin that is spent',
    forms: ['50%'],
  },
  percentEquity: { means: 'percent of equity', forms: ['50%b'] },
  percentAvailable: { means: 'percent of what is available', forms: ['50%a', '50%%'] },
  percentPosition: { means: 'percent of the position', forms: ['50%p'] },
}

/** The base of a price, and its forms as a price and as an offset. */
export const priceReference: Record<PriceBasis, { means: string; price: string[]; offset: string[] }> = {
  absolute: { means: 'this price', price: ['58000', '@58000'], offset: ['@58000'] },
  relative: {
    means: "above (+) or below (-) the market, in the chart's direction",
    price: ['+1%', '-1%', '+100', '-100'],
    offset: [],
  },
  offset: {
    means:
      'away from the market for this side: a limit below it for buys and above it for sells, a stop the other way',
    price: ['1%'],
    offset: ['1%', '100', '+100'],
  },
  entry: {
    means:
      'away from the average entry for this side, as an offset is from the market: a limit that sells above it, a stop that sells below it; negative on the other side',
    price: ['e2%', 'e-0.5%', 'e100'],
    offset: ['e2%', 'e-0.5%', 'e100'],
  },
}

/** The form of each kind of value: its name, and words or examples to offer. Choices are in the command table. */
export const kindReference: Record<ValueKind, { is: string; forms: readonly string[] }> = {
  side: { is: 'buy, long, b; sell, short, s', forms: ['buy', 'sell'] },
  amount: { is: 'a size', forms: Object.values(amountReference).map(({ forms: [form = ''] }) => form) },
  position: {
    is: 'a size, negative for short; 0, flat or close for none',
    forms: ['0', 'flat', '0.01', '-0.01', '50%', '-50%', '-250$'],
  },
  price: { is: 'a price', forms: Object.values(priceReference).flatMap(({ price }) => price) },
  offset: { is: 'a distance', forms: Object.values(priceReference).flatMap(({ offset }) => offset) },
  boolean: { is: 'true, yes, y, on, 1; false, no, n, off, 0', forms: ['true', 'false'] },
  choice: { is: 'one of its words', forms: [] },
  positionMode: { is: 'oneWay or hedge', forms: [] },
  tag: { is: 'up to 16 letters, digits, - and _', forms: [] },
  orderId: { is: 'the id of an order: letters, digits, - and _, up to 64', forms: [] },
  duration: { is: 'a number with ms, s (sec), m (min), h or d; bare is seconds', forms: ['10s', '2m', '1h'] },
  leverage: { is: 'a number, with or without x', forms: ['5', '10x', 'cross', 'isolated'] },
  coin: { is: 'the name of a coin', forms: ['USDT'] },
}

/** TradingView's placeholders, by the kind of value each can stand for. */
export const placeholderReference: readonly { text: string; means: string; kinds: readonly ValueKind[] }[] = [
  {
    text: '{{strategy.order.action}}',
    means: 'the side of the order of a strategy: buy or sell',
    kinds: ['side'],
  },
  {
    text: '{{strategy.order.contracts}}',
    means: 'the size of the order of a strategy',
    kinds: ['amount'],
  },
  {
    text: '{{strategy.position_size}}',
    means: 'the position of a strategy, negative for short',
    kinds: ['position'],
  },
  { text: '{{strategy.order.price}}', means: 'the price of the order of a strategy', kinds: ['price'] },
  { text: '{{close}}', means: 'the last price of the bar', kinds: ['price'] },
  {
    text: '{{plot_0}}',
    means: 'the first plot of the indicator',
    kinds: ['amount', 'position', 'price', 'offset'],
  },
]

/** TradingView's placeholder of the symbol. */
export const symbolPlaceholder = { text: '{{ticker}}', means: 'the symbol of the chart' }
