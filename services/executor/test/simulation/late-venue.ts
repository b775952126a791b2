import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { AbsenceRule } from '../../src/domain/order/absence.ts'
import {
  isConditional,
  isImmediate,
  type LookUp,
  type LookUpDepth,
  type OrderPlan,
  type Placement,
  restingOrder,
  type StreamWitness,
  type VenueOrder,
} from '../../src/domain/order/order.ts'
import type { Random } from './random.ts'

/** The truth of a market, at its worst. */
interface Truth {
  /** The longest stay of an order at the engine, once past the door. */
  engineMs: number
  lagMs: number
  /** The lag of what never rests, in one of four runs. */
  worstLagMs: number
  areNamesUnique: boolean
}

const paper: Truth = { engineMs: 0, lagMs: 50, worstLagMs: 50, areNamesUnique: false }
const futures: Truth = { engineMs: 0, lagMs: 20_000, worstLagMs: 20_000, areNamesUnique: false }
const spot: Truth = { ...futures, engineMs: 10_000, worstLagMs: 600_000 }
const bybit: Truth = { ...futures, engineMs: 10_000, areNamesUnique: true }
const okx: Truth = { ...futures, engineMs: 27_000 }

const truths: Readonly<Record<ExchangeMarket, Truth>> = {
  binance_futures_usdt: futures,
  binance_spot: spot,
  bybit,
  bybit_spot: bybit,
  okx,
  okx_spot: okx,
  paper_futures: paper,
  paper_spot: paper,
}

const streamReportsMs = 5000
const doorMs = 4000

type Phase = 'waiting' | 'open' | 'filled'

/** Endpoints, and the phases of an order that they may show. */
const places = {
  order: ['waiting', 'open', 'filled'],
  openOrders: ['open'],
  allOrders: ['open', 'filled'],
  trades: ['filled'],
  realtime: ['waiting', 'open', 'filled'],
  history: ['filled'],
  executions: ['filled'],
  algoOrder: ['waiting', 'filled'],
  openAlgoOrders: ['waiting'],
  allAlgoOrders: ['waiting', 'filled'],
  child: ['filled'],
} as const satisfies Record<string, readonly Phase[]>
export type Endpoint = keyof typeof places

/** Returns the endpoints of a look-up. */
export function endpointsOf(
  market: ExchangeMarket,
  depth: LookUpDepth,
  hasTrigger: boolean,
): readonly Endpoint[] {
  if (market === 'paper_futures' || market === 'paper_spot') return ['order']
  if (market === 'bybit' || market === 'bybit_spot')
    return depth === 'usual' ? ['realtime', 'history'] : ['realtime', 'history', 'executions']
  if (market === 'okx' || market === 'okx_spot') {
    const lists = ['openOrders', 'allOrders'] as const
    if (!hasTrigger) return depth === 'usual' ? ['order'] : ['order', ...lists]
    return depth === 'usual' ? ['algoOrder'] : ['algoOrder', 'openAlgoOrders', 'allAlgoOrders', ...lists]
  }
  const isAlgo = market === 'binance_futures_usdt' && hasTrigger
  const byName = isAlgo
    ? (['algoOrder', 'openAlgoOrders', 'allAlgoOrders', 'child'] as const)
    : (['order'] as const)
  return depth === 'usual' ? byName : [...byName, 'openOrders', 'allOrders', 'trades']
}

interface Taken {
  plan: OrderPlan
  takenAt: number
  filledAt: number
  /** The places that show it in each phase; of one of them it may hang. */
  shownAt: Readonly<Record<Phase, readonly Endpoint[]>>
  /** When the stream reports that it is there, and that it is filled. */
  reportedAfterMs: number
}

interface Request {
  plan: OrderPlan
  arrivesAt: number
  answer: Placement | undefined
}

export interface LateVenueOptions {
  random: Random
  market: ExchangeMarket
  now: () => number
}

/** A venue whose reads are late, whose answers get lost, and whose stream has gaps. */
export interface LateVenue {
  taken: () => readonly VenueOrder[]
  /** Sends an order: what is answered, and when. */
  place: (plan: OrderPlan) => { answer: Placement; at: number }
  lookUp: (plan: Pick<OrderPlan, 'clientOrderId' | 'type'>, depth: LookUpDepth, unasked?: Endpoint) => LookUp
  /** The stream is down between these moments. */
  cutStream: (from: number, until: number) => void
  witness: () => StreamWitness | undefined
  /** Returns an order by the stream's reports. */
  reported: (clientOrderId: string) => VenueOrder | undefined
  /** Everything that is on its way comes in. */
  settle: () => void
}

/** A venue that took nothing yet, and whose stream has been live for a second. */
export function createLateVenue({ random, market, now }: LateVenueOptions): LateVenue {
  const truth = truths[market]
  const isWorst = random.chance(0.25)
  const requests: Request[] = []
  const taken: Taken[] = []
  const gaps: { from: number; until: number }[] = [{ from: Number.NEGATIVE_INFINITY, until: -1000 }]
  const advance = (until: number): void => {
    const due = requests.filter(({ answer, arrivesAt }) => answer === undefined && arrivesAt <= until)
    for (const request of due.toSorted((one, other) => one.arrivesAt - other.arrivesAt))
      request.answer = take(request)
  }
  const take = ({ plan, arrivesAt }: Request): Placement => {
    const same = taken.find(
      (each) =>
        each.plan.clientOrderId === plan.clientOrderId && (truth.areNamesUnique || arrivesAt < each.filledAt),
    )
    // The first order may have taken the funds of the second.
    const refused = { outcome: 'refused', code: 'E506', error: 'not enough funds' } as const
    if (random.chance(taken.length > 0 ? 0.3 : 0.05)) return refused
    if (same !== undefined) return { outcome: 'unknown', cause: 'an order of this name', isThere: true }
    const order = newOrder({ random, market }, plan, arrivesAt)
    taken.push(order)
    return { outcome: 'done', order: orderAt(order, arrivesAt) ?? restingOrder(plan) }
  }
  const lagOf = ({ plan }: Taken): number => {
    const most = isWorst && isImmediate(plan) ? truth.worstLagMs : truth.lagMs
    return isWorst && isImmediate(plan) ? most : random.delay(50, most, 0.6)
  }
  const wasReceived = (at: number, reportedAt: number): boolean =>
    reportedAt <= now() && gaps.every(({ from, until }) => reportedAt < from || at > until)
  return {
    taken: () => taken.flatMap((order) => orderAt(order, now()) ?? []),
    place: (plan) => {
      const sentAt = now()
      const arrivesAt =
        sentAt +
        random.delay(50, doorMs - 1, 0.4) +
        (truth.engineMs > 0 ? random.delay(50, truth.engineMs - 1, 0.4) : 0)
      const request: Request = { plan, arrivesAt, answer: undefined }
      const isLost = random.chance(0.2)
      if (!isLost) requests.push(request)
      const answeredAt = arrivesAt + random.between(1, 50)
      if (!isLost && answeredAt < sentAt + doorMs && random.chance(0.4)) {
        advance(answeredAt)
        if (request.answer !== undefined) return { answer: request.answer, at: answeredAt }
      }
      const at = random.chance(0.3) ? sentAt + random.between(20, 500) : sentAt + doorMs
      advance(at)
      return { answer: { outcome: 'unknown', cause: 'no answer' }, at }
    },
    lookUp: ({ clientOrderId, type }, depth, unasked) => {
      advance(now())
      if (random.chance(0.1)) return { outcome: 'unreachable', cause: 'no answer' }
      const asked = endpointsOf(market, depth, isConditional({ type })).filter((place) => place !== unasked)
      for (const order of taken) {
        if (order.plan.clientOrderId !== clientOrderId) continue
        for (const place of asked) {
          const at = now() - lagOf(order)
          if (at < order.takenAt || !isShown(market, order, place, at)) continue
          if (place === 'executions') return { outcome: 'unreachable', cause: 'executions without an order' }
          const shown = orderAt(order, at)
          if (shown !== undefined) return { outcome: 'found', order: shown }
        }
      }
      return { outcome: 'absent', depth }
    },
    cutStream: (from, until) => void gaps.push({ from, until }),
    witness: () => {
      if (hasNoStream(market)) return undefined
      if (gaps.some(({ from, until }) => now() >= from && now() < until)) return undefined
      const liveSince = Math.max(...gaps.filter(({ until }) => until <= now()).map(({ until }) => until))
      return {
        liveSince,
        verifiedUntil: random.chance(0.2) ? now() - 15_000 : now() - random.between(0, 100),
      }
    },
    reported: (clientOrderId) => {
      advance(now())
      if (hasNoStream(market)) return undefined
      const order = taken.findLast(({ plan }) => plan.clientOrderId === clientOrderId)
      if (order === undefined) return undefined
      const { takenAt, filledAt, reportedAfterMs } = order
      if (wasReceived(filledAt, filledAt + reportedAfterMs)) return orderAt(order, filledAt)
      return wasReceived(takenAt, takenAt + reportedAfterMs) ? orderAt(order, takenAt) : undefined
    },
    settle: () => advance(Number.POSITIVE_INFINITY),
  }
}

function newOrder(
  { random, market }: Pick<LateVenueOptions, 'random' | 'market'>,
  plan: OrderPlan,
  takenAt: number,
): Taken {
  const restsMs = random.pick([Number.POSITIVE_INFINITY, random.between(0, 60_000), random.between(0, 200)])
  const everywhere = endpointsOf(market, 'everywhere', isConditional(plan))
  const witnesses = (phase: Phase): readonly Endpoint[] => {
    const able = everywhere.filter((place) => (places[place] as readonly Phase[]).includes(phase))
    const [first] = able
    return first === undefined || random.chance(0.3) ? able : [random.pick([first, ...able.slice(1)])]
  }
  return {
    plan,
    takenAt,
    filledAt: takenAt + (isImmediate(plan) ? 0 : restsMs),
    shownAt: { waiting: witnesses('waiting'), open: witnesses('open'), filled: witnesses('filled') },
    reportedAfterMs: random.delay(20, streamReportsMs - 1, 0.3),
  }
}

/** True for a market whose private stream is not followed. */
export function hasNoStream(market: ExchangeMarket): boolean {
  return market === 'okx' || market === 'okx_spot'
}

// After a restart of the venue Bybit's history may follow that late; executions show the order before.
const historyMs = 60_000

function isShown(market: ExchangeMarket, order: Taken, place: Endpoint, at: number): boolean {
  const isFiled = place === 'history' && at >= order.filledAt + historyMs
  return isFiled || order.shownAt[phaseAt(market, order, at)].includes(place)
}

function phaseAt(market: ExchangeMarket, { plan, filledAt }: Taken, at: number): Phase {
  if (at >= filledAt) return 'filled'
  const isApart = market === 'binance_futures_usdt' || hasNoStream(market)
  return isApart && isConditional(plan) ? 'waiting' : 'open'
}

function orderAt({ plan, takenAt, filledAt }: Taken, at: number): VenueOrder | undefined {
  if (at < takenAt) return undefined
  const order = { ...restingOrder(plan), venueOrderId: `${takenAt}` }
  return at < filledAt ? order : { ...order, status: 'filled', filled: plan.quantity, averagePrice: '60000' }
}

/** A rule that is weaker than the one that a market needs. */
export interface Weakness {
  rule?: Partial<AbsenceRule>
  /** A place that is not asked. */
  unasked?: Endpoint
  /** The stream's silence counts though it had a gap. */
  ignoresGaps?: boolean
  /** The stream's silence counts, and its reports are not asked for. */
  ignoresReports?: boolean
  /** A refusal of an order in doubt is taken for its outcome. */
  believesRefusals?: boolean
}
