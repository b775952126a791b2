import { divide, isLess, isZero, multiply } from '@tripline/proto/decimal'
import type { Market } from '../src/domain/order/market.ts'
import type { Line, OpenOrder } from './exchange.ts'
import type { ProbedMarket } from './market.ts'
import type { OpenedProduct } from './opened.ts'
import { isOwnMachine, type ProbeOptions, UsageError } from './options.ts'
import type { Screen } from './screen.ts'
import { type Cost, costOf, type Size, sizeOf } from './size.ts'
import { NoAnswerError } from './transport.ts'

/** Facts known before anything is placed. */
export interface Preparation {
  rules: Market
  size: Size
  cost: Cost
  /** Orders that a run before left. */
  leftovers: readonly OpenOrder[]
}

/** Begins the client ids of all runs. */
export const prefix = 'vprobe'

/** Reads the account and the market; throws a `UsageError` where the account is not as it has to be. */
export async function prepare(
  probed: ProbedMarket,
  product: OpenedProduct,
  line: Line,
): Promise<Preparation> {
  const { symbol } = line
  const rules = product.venue.market(symbol)
  if (rules === undefined)
    throw new UsageError(`${line.venue} does not list ${symbol}. Say another --symbol.`)
  if (!rules.isTrading) throw new UsageError(`${symbol} is not traded just now. Say another --symbol.`)
  const open = await ownState(async () => await probed.account.openOrders())
  const isOwn = ({ clientId }: OpenOrder): boolean => clientId.startsWith(prefix)
  const foreign = open.filter((order) => !isOwn(order)).length
  if (foreign > 0) throw new UsageError(`The account has ${foreign} open orders of ${symbol}. ${beside}`)
  const position = await probed.account.position()
  if (position !== undefined && !isZero(position))
    throw new UsageError(`The account has a position of ${position} ${symbol}. ${beside}`)
  const reading = await product.venue.read(symbol)
  if (reading.outcome !== 'read')
    throw new UsageError(`The account cannot be read: ${JSON.stringify(reading)}`)
  const { account } = reading
  if (account.settings?.positionMode === 'hedge')
    throw new UsageError(
      'The account is in hedge mode. The probe needs one-way mode, and changes no setting.',
    )
  const size = sizeOf(rules, account)
  const cost = costOf(rules, size, await probed.feeRate())
  const needed = divide(multiply(cost.notional, '1.5'), account.settings?.leverage ?? '1')
  const free = account.available ?? account.holdings.find(({ coin }) => coin === rules.quote)?.free ?? '0'
  if (isLess(free, needed))
    throw new UsageError(`The account has too little: ${needed} ${rules.quote} are to be free for ${symbol}.`)
  return { rules, size, cost, leftovers: open.filter(isOwn) }
}

const beside =
  'The probe needs a symbol without any, so that all of it is its own. Say another --symbol, or end them.'

async function ownState<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NoAnswerError) throw error
    throw new UsageError(`The exchange does not take the key, or not here: ${(error as Error).message}`)
  }
}

/** Says what would be placed and what it can cost, and asks whether it may; throws where it may not. */
export async function askLeave(
  { venue, network, baseUrl, symbol, yes, triggerMs }: ProbeOptions,
  { rules, size, cost, leftovers }: Preparation,
  { say, ask }: Screen,
): Promise<void> {
  const trips = triggerMs > 0 ? 'two purchases' : 'one purchase'
  say(`
At ${baseUrl ?? `${venue}, ${network}`} this places some twenty orders of ${size.quantity} ${rules.base} (${cost.notional} ${rules.quote} each) in ${symbol}:
  limit orders 3 to 7 % away from the market, which are canceled, over HTTP and over the socket for orders;
  stops and take profits 5 % away, which are canceled${rules.features.nativeOco ? ', and a pair of them' : ''};
  orders that the exchange has to refuse, and requests with a wrong signature or too late;
  ${trips} of ${size.quantity} ${rules.base} at the market, sold again after some seconds.
It costs about ${cost.usual} ${rules.quote}, for fees and the spread, and ${cost.most} ${rules.quote} at most: if orders fill that should be
refused, and the market moves by 2 % while something is held. Settings are set to what they are already.
Ctrl-C ends it at any moment, and ends what it placed first.`)
  if (leftovers.length > 0) say(`It also cancels ${leftovers.length} orders that a run before has left.`)
  // Nobody knows where another address leads.
  if (network === 'mainnet' || (baseUrl !== undefined && !isOwnMachine(baseUrl))) {
    const words = `mainnet ${symbol}`
    if ((await ask(`\nThis may be real money. Type "${words}" to go on: `)) !== words)
      throw new UsageError('Nothing was placed.')
    return
  }
  if (yes) return
  if (!/^y(es)?$/i.test(await ask('\nGo on? (yes or no) '))) throw new UsageError('Nothing was placed.')
}
