import { positionIn, positionModeOf } from '../../domain/account.ts'
import type { Refusal } from '../../domain/filter.ts'
import { absolute, divideRounded, formatTrimmed, parseFixed, power } from '../../domain/fixed.ts'
import { type Market, marketOf, VALUE_SCALE } from '../../domain/market.ts'
import { isOpen, type Order, type OrderRequest, orderAt } from '../../domain/order.ts'
import type { Trigger } from '../../domain/trigger.ts'
import { type Entry, findByClientOrderId, openOrdersAt } from '../../store/ledger.ts'
import { instId, isHere, marketNamed, priceText, readPrice, readSize, sizeText } from './market.ts'
import { type Call, type Fields, OkxError, textIn } from './perform.ts'

type Words = readonly [code: number, message: string]
const OTHER: Words = [51000, 'Parameter error']

// "Error Code, REST API" of the documentation, 2026-06.
const REFUSALS: Partial<Readonly<Record<Refusal, Words>>> = {
  quantityNotPositive: [51000, 'Parameter sz error'],
  quantityBelowMin: [51020, 'Your order should meet or exceed the minimum order amount.'],
  quantityAboveMax: [51005, 'Your order amount exceeds the max order amount.'],
  quantityOffStep: [51121, 'Order quantity must be a multiple of the lot size.'],
  priceOffTick: [51000, 'Parameter px error'],
  priceAboveBand: [51137, 'The highest price limit for buy orders is exceeded.'],
  priceBelowBand: [51138, 'The lowest price limit for sell orders is exceeded.'],
  reduceOnlyRefused: [
    51169,
    "Order failed because you don't have any positions in this direction to reduce.",
  ],
  marginInsufficient: [51008, 'Order failed. Insufficient USDT margin in account'],
  balanceInsufficient: [51008, 'Order failed. Insufficient balance in account'],
  positionAboveLimit: [
    51004,
    'Order failed. The position would be above its maximum under the current leverage.',
  ],
  clientOrderIdOpen: [51016, 'Client order ID already exists.'],
  tooManyOpenOrders: [51174, 'Order failed, number of pending orders exceed the limit of 500.'],
  tooManyConditionalOrders: [51261, 'Each user can hold up to 100 pending stop orders at the same time.'],
  triggersAtOnce: [51280, 'SL trigger price cannot be higher than the last price.'],
}
const SOURCES = ['last', 'mark', 'index'] as const
const LIVES = { limit: 'gtc', post_only: 'postOnly', fok: 'fok', ioc: 'ioc' } as const
const NAME = /^[A-Za-z0-9]{1,32}$/

/** The account of a call that was signed. */
export function entryOf({ entry }: Call): Entry {
  if (entry === undefined) throw new OkxError(50111, 'Invalid OK-ACCESS-KEY.', 401)
  return entry
}

/** Places an ordinary order. */
export function placeOrder(call: Call): readonly unknown[] {
  const { fields } = call
  const market = marketNamed(textIn(fields, 'instId'))
  const ordType = textIn(fields, 'ordType')
  const isMarket = ordType === 'market'
  const timeInForce = isMarket ? 'ioc' : LIVES[ordType as keyof typeof LIVES]
  if (timeInForce === undefined) throw new OkxError(51000, 'Parameter ordType error', 400)
  const request: OrderRequest = {
    ...sharedIn(call, market, 'clOrdId'),
    ...{ type: isMarket ? 'market' : 'limit', timeInForce },
    price: isMarket ? 0n : readPrice(market, textIn(fields, 'px'), 'px'),
  }
  const held = absolute(positionIn(entryOf(call).account, market.id).quantity)
  if (request.reduceOnly && held > 0n && request.quantity > held)
    throw new OkxError(51112, 'Close order size exceeds available size for this position.')
  const order = placed(call, request)
  return [{ clOrdId: order.clientOrderId, ordId: `${order.id}`, tag: tagOf(order), sCode: '0', sMsg: '' }]
}

/** Places a one-way stop order. */
export function placeAlgo(call: Call): readonly unknown[] {
  const { fields, exchange } = call
  const market = marketNamed(textIn(fields, 'instId'))
  if (textIn(fields, 'ordType') !== 'conditional') throw new OkxError(51000, 'Parameter ordType error', 400)
  const leg = textIn(fields, 'slTriggerPx') === '' ? 'tp' : 'sl'
  const by = SOURCES.find((source) => source === (textIn(fields, `${leg}TriggerPxType`) || 'last'))
  if (by === undefined) throw new OkxError(51000, `Parameter ${leg}TriggerPxType error`, 400)
  const shared = sharedIn(call, market, 'algoClOrdId')
  const rises = (shared.side === 'buy') === (leg === 'sl')
  const trigger: Trigger = {
    ...{ by, when: rises ? 'rises' : 'falls' },
    price: readPrice(market, textIn(fields, `${leg}TriggerPx`), `${leg}TriggerPx`),
  }
  const limit = textIn(fields, `${leg}OrdPx`)
  const price = limit === '-1' ? 0n : readPrice(market, limit, `${leg}OrdPx`)
  const words = { ...shared.words, leg }
  const type = limit === '-1' ? 'market' : 'limit'
  const timeInForce = type === 'market' ? 'ioc' : 'gtc'
  const order = placed(
    { ...call, exchange },
    { ...shared, words, type, timeInForce, price, trigger, holdsFunds: false },
  )
  return [
    {
      algoClOrdId: order.clientOrderId,
      algoId: `${order.id}`,
      clOrdId: '',
      tag: tagOf(order),
      sCode: '0',
      sMsg: '',
    },
  ]
}

type Shared = Pick<
  OrderRequest,
  | 'market'
  | 'clientOrderId'
  | 'side'
  | 'quantity'
  | 'reduceOnly'
  | 'positionSide'
  | 'origin'
  | 'words'
  | 'quoteQuantity'
>

function sharedIn(call: Call, market: Market, nameField: string): Shared {
  const { fields } = call
  const side = textIn(fields, 'side')
  if (side !== 'buy' && side !== 'sell') throw new OkxError(51000, 'Parameter side error', 400)
  const isSpot = market.kind === 'spot'
  if (textIn(fields, 'tdMode') !== (isSpot ? 'cash' : 'cross'))
    throw new OkxError(51000, 'Parameter tdMode error', 400)
  if (!isSpot && positionModeOf(entryOf(call).account, market) === 'hedge')
    throw new OkxError(51000, 'Parameter posSide error', 400)
  const clientOrderId = textIn(fields, nameField)
  if (clientOrderId !== '' && !NAME.test(clientOrderId))
    throw new OkxError(51000, `Parameter ${nameField} error`, 400)
  const isMarket = textIn(fields, 'ordType') === 'market'
  const unit = textIn(fields, 'tgtCcy') || (side === 'buy' ? 'quote_ccy' : 'base_ccy')
  const sz = textIn(fields, 'sz')
  const isByValue = isSpot && isMarket && unit === 'quote_ccy'
  const quoteQuantity = isByValue ? parseFixed(sz, VALUE_SCALE) : undefined
  return {
    ...{ market: market.id, clientOrderId, side, positionSide: 'net', origin: 'user' },
    quantity: quoteQuantity === undefined ? readSize(market, sz) : 0n,
    ...(quoteQuantity !== undefined && { quoteQuantity }),
    reduceOnly: !isSpot && textIn(fields, 'reduceOnly') === 'true',
    words: { tag: textIn(fields, 'tag'), ordType: textIn(fields, 'ordType') },
  }
}

const tagOf = ({ words }: Pick<Order, 'words'>): string => words?.['tag'] ?? ''

function placed(call: Call, request: OrderRequest): Order {
  const answer = call.exchange.place(entryOf(call), request, call.now)
  if (!('refusal' in answer)) return answer.order
  // An algo order has names of its own kind.
  const isTaken = answer.refusal === 'clientOrderIdOpen' && request.trigger !== undefined
  if (isTaken) throw new OkxError(51065, 'algoClOrdId already exists.')
  throw new OkxError(...(REFUSALS[answer.refusal] ?? OTHER))
}

const notThere = (): OkxError => new OkxError(51603, 'Order does not exist.')

// An order that a conditional one became has an id of its own ("Order details").
const ordIdOf = ({ id, trigger }: Order): string => (trigger === undefined ? `${id}` : `9${id}`)

/** The order that the fields name: by its id before its name. An ordinary order, or a conditional one. */
function orderNamed(call: Call, isAlgo: boolean): Order | undefined {
  const { fields } = call
  const entry = entryOf(call)
  const [id, name] = isAlgo ? ['algoId', 'algoClOrdId'] : ['ordId', 'clOrdId']
  const known = textIn(fields, id)
  if (known === '') {
    const found = named(entry, fields, textIn(fields, name))
    return isAlgo === (found?.trigger !== undefined) ? found : undefined
  }
  const idOf = (one: Order): string => (isAlgo ? `${one.id}` : ordIdOf(one))
  const found = [known, known.slice(1)].flatMap((one) => entry.orders.get(Number(one)) ?? [])
  return found.find((one) => idOf(one) === known && isHere(one.market))
}

function named(entry: Entry, fields: Fields, name: string): Order | undefined {
  const inst = textIn(fields, 'instId')
  const markets = inst === '' ? [...entry.ordersByMarket.keys()].filter(isHere) : [marketNamed(inst).id]
  const found = markets.flatMap((market) => findByClientOrderId(entry, market, name) ?? [])
  return found.sort((one, other) => other.id - one.id)[0]
}

/** Cancels an ordinary order, or what a conditional one became. */
export function cancelOrder(call: Call): readonly unknown[] {
  const found = orderNamed(call, false)
  if (found === undefined || !isOpen(found) || isWaiting(found))
    throw new OkxError(
      51400,
      'Order cancellation failed as the order has been filled, canceled or does not exist.',
    )
  const canceled = call.exchange.cancel(entryOf(call), found, call.now)
  return [{ clOrdId: canceled.clientOrderId, ordId: ordIdOf(canceled), sCode: '0', sMsg: '' }]
}

/** Cancels a conditional order that waits. */
export function cancelAlgo(call: Call): readonly unknown[] {
  const found = orderNamed(call, true)
  if (found === undefined || !isWaiting(found))
    throw new OkxError(
      51400,
      'Order cancellation failed as the order has been filled, canceled or does not exist.',
    )
  const { clientOrderId: algoClOrdId, id } = call.exchange.cancel(entryOf(call), found, call.now)
  return [{ algoClOrdId, algoId: `${id}`, sCode: '0', sMsg: '' }]
}

const isWaiting = ({ status }: Order): boolean => status === 'untriggered'
const wasTriggered = ({ trigger, isTriggered }: Order): boolean =>
  trigger !== undefined && isTriggered === true

/** One ordinary order. */
export function order(call: Call): readonly unknown[] {
  const found = orderNamed(call, false)
  const then = found && orderAt(found, call.asOf)
  if (then === undefined || (then.trigger !== undefined && !wasTriggered(then))) throw notThere()
  return [formatOrder(entryOf(call), then, call.asOf)]
}

/** One conditional order. */
export function algo(call: Call): readonly unknown[] {
  const found = orderNamed(call, true)
  const then = found && orderAt(found, call.asOf)
  if (then === undefined) throw notThere()
  return [formatAlgo(then)]
}

const LONGEST_PAGE = 100

/** Whether the page that is asked for begins behind this order. */
function isAfter({ fields }: Call, one: Order, isAlgo: boolean): boolean {
  return textIn(fields, 'after') === (isAlgo ? `${one.id}` : ordIdOf(one))
}

/** Open orders: ordinary ones, or conditional ones. */
export function pending(isAlgo: boolean) {
  return (call: Call): readonly unknown[] => {
    const entry = entryOf(call)
    const open = openOrdersAt(entry, call.asOf).filter(
      (one) => isOfScope(call, one) && isWaiting(one) === isAlgo,
    )
    const newest = open.toReversed()
    const page = newest
      .slice(newest.findIndex((one) => isAfter(call, one, isAlgo)) + 1)
      .slice(0, LONGEST_PAGE)
    return page.map((one) => (isAlgo ? formatAlgo(one) : formatOrder(entry, one, call.asOf)))
  }
}

/** Orders that ended: ordinary ones, or conditional ones by their state. */
export function history(isAlgo: boolean) {
  return (call: Call): readonly unknown[] => {
    const entry = entryOf(call)
    const state = textIn(call.fields, 'state')
    const then = [...entry.orders.values()].flatMap((one) => orderAt(one, call.asOf) ?? [])
    const meant = then.filter(
      (one) => isOfScope(call, one) && (isAlgo ? one.trigger !== undefined : !isOpen(one)),
    )
    const rows = meant
      .filter((one) => isAlgo || one.trigger === undefined || wasTriggered(one))
      .map((one) => (isAlgo ? formatAlgo(one) : formatOrder(entry, one, call.asOf)))
    return rows
      .filter((row) => state === '' || row.state === state)
      .reverse()
      .slice(0, LONGEST_PAGE)
  }
}

function isOfScope({ fields }: Call, { market }: Order): boolean {
  const [inst, type] = [textIn(fields, 'instId'), textIn(fields, 'instType')]
  if (!isHere(market)) return false
  const known = marketOf(market)
  return inst === '' ? type === '' || (known.kind === 'spot') === (type === 'SPOT') : instId(known) === inst
}

function stateOf(one: Order): string {
  if (one.status === 'filled') return 'filled'
  if (one.status === 'open') return one.filled > 0n ? 'partially_filled' : 'live'
  return 'canceled'
}

function formatOrder(entry: Entry, one: Order, asOf: number) {
  const market = marketOf(one.market)
  const fills = (entry.fillsByMarket.get(one.market) ?? []).filter(
    ({ orderId, at }) => orderId === one.id && at <= asOf,
  )
  const fee = fills.reduce((sum, fill) => sum + fill.fee, 0n)
  const isAlgo = one.trigger !== undefined
  const isByValue = one.quoteQuantity !== undefined
  const tgtCcy = market.kind === 'spot' && one.type === 'market' ? (isByValue ? 'quote_ccy' : 'base_ccy') : ''
  const ordType = isAlgo ? one.type : (one.words?.['ordType'] ?? one.type)
  const isPostOnly = one.timeInForce === 'postOnly' && one.endReason === 'timeInForce'
  return {
    ...sharedRow(market, one),
    ...{
      ordId: ordIdOf(one),
      clOrdId: isAlgo ? '' : one.clientOrderId,
      ordType,
      state: stateOf(one),
      tgtCcy,
    },
    ...{ algoId: isAlgo ? `${one.id}` : '', algoClOrdId: isAlgo ? one.clientOrderId : '' },
    sz: isByValue ? formatTrimmed(one.quoteQuantity ?? 0n, VALUE_SCALE) : sizeText(market, one.quantity),
    ...{
      px: one.type === 'market' ? '' : priceText(market, one.price),
      accFillSz: sizeText(market, one.filled),
    },
    avgPx: one.filled === 0n ? '' : unitPrice(market, one.filledValue, one.filled),
    ...{ fee: formatTrimmed(-fee, VALUE_SCALE), feeCcy: fills[0]?.feeAsset ?? '' },
    cancelSource: isPostOnly ? '31' : one.endReason === 'user' ? '1' : '',
  }
}

function formatAlgo(one: Order) {
  const market = marketOf(one.market)
  const leg = one.words?.['leg'] ?? 'sl'
  const priceOf = (name: 'sl' | 'tp') =>
    name === leg && one.trigger !== undefined
      ? {
          trigger: priceText(market, one.trigger.price),
          limit: one.type === 'market' ? '-1' : priceText(market, one.price),
        }
      : { trigger: '', limit: '' }
  const [sl, tp] = [priceOf('sl'), priceOf('tp')]
  const isOver = !isOpen(one) && !wasTriggered(one)
  const state = isWaiting(one)
    ? 'live'
    : isOver
      ? one.endReason === 'user'
        ? 'canceled'
        : 'order_failed'
      : 'effective'
  return {
    ...sharedRow(market, one),
    ...{ algoId: `${one.id}`, algoClOrdId: one.clientOrderId, ordType: 'conditional', state },
    ...{
      ordId: state === 'effective' ? ordIdOf(one) : '',
      ordIdList: state === 'effective' ? [ordIdOf(one)] : [],
      clOrdId: '',
      sz: sizeText(market, one.quantity),
      actualSz: '0',
    },
    ...{ slTriggerPx: sl.trigger, slOrdPx: sl.limit, slTriggerPxType: leg === 'sl' ? one.trigger?.by : '' },
    ...{ tpTriggerPx: tp.trigger, tpOrdPx: tp.limit, tpTriggerPxType: leg === 'tp' ? one.trigger?.by : '' },
  }
}

function sharedRow(market: Market, one: Order) {
  return {
    ...{
      instType: market.kind === 'spot' ? 'SPOT' : 'SWAP',
      instId: instId(market),
      side: one.side,
      posSide: 'net',
    },
    ...{
      tdMode: market.kind === 'spot' ? 'cash' : 'cross',
      reduceOnly: `${one.reduceOnly}`,
      tag: tagOf(one),
    },
    ...{ cTime: `${one.createdAt}`, uTime: `${one.updatedAt}` },
  }
}

function unitPrice(market: Market, value: bigint, quantity: bigint): string {
  return formatTrimmed(divideRounded(value * power(market.quantityPrecision), quantity), VALUE_SCALE)
}
