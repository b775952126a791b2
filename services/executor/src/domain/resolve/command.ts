import type {
  Command,
  LegCommand,
  MarketCommand,
  OneCancelsOtherCommand,
  StopOrTakeProfitCommand,
} from '@tripline/proto/language/tree'
import type { AccountReading } from '../account/account.ts'
import type { Market } from '../order/market.ts'
import { denied } from '../sizing/basis.ts'
import { closesNothing } from './closing.ts'
import { deny, nothingToProtect } from './denial.ts'
import { resolveLimit } from './limit.ts'
import { resolveMarket } from './market.ts'
import { positionSideOf, targetDenial } from './position-side.ts'
import { resolveProtection } from './protection.ts'
import type { Resolution, ResolvedOrder, Scene } from './resolution.ts'
import { resolveStop } from './stop.ts'

/** The commands that come to orders. */
export type OrderCommand = MarketCommand | LegCommand | StopOrTakeProfitCommand | OneCancelsOtherCommand

/** True for a command that comes to orders. */
export function placesOrders(command: Command): command is OrderCommand {
  return ['market', 'limit', 'stopOrder', 'stopOrTakeProfit', 'oneCancelsOther'].includes(command.type)
}

/** Resolves a command by the account and its market as they are now. Pure. */
export function resolveCommand(
  command: OrderCommand,
  market: Market,
  reading: AccountReading,
  context: Pick<Scene, 'isLeg' | 'before'> = {},
): Resolution {
  if (command.type === 'oneCancelsOther') return resolveLegs(command, market, reading, context)
  const addressed = positionSideOf(command.positionSide, market, reading)
  if ('code' in addressed) return deny(addressed)
  const impossible = targetDenial(command.position, addressed.positionSide)
  if (impossible !== undefined) return deny(impossible)
  const scene = { market, ...addressed, ...context }
  const closed = closesNothing(command, scene)
  if (closed !== undefined) return closed
  switch (command.type) {
    case 'market':
      return resolveMarket(command, scene)
    case 'limit':
      return resolveLimit(command, scene)
    case 'stopOrder':
      return resolveStop(command, scene)
    case 'stopOrTakeProfit':
      return resolveProtection(command, scene)
  }
}

/** Legs protect: where there is nothing to protect, something went wrong before them, unless their entry is over. */
function resolveLegs(
  { legs }: OneCancelsOtherCommand,
  market: Market,
  reading: AccountReading,
  context: Pick<Scene, 'before'>,
): Resolution {
  const orders: ResolvedOrder[] = []
  for (const leg of legs) {
    const resolution = resolveCommand(leg, market, reading, { ...context, isLeg: true })
    if (resolution.outcome === 'nothing' && resolution.code !== 'N804') return deny(nothingToProtect(market))
    if (resolution.outcome !== 'orders') return resolution
    orders.push(...resolution.orders)
  }
  return pairDenial(orders, market) ?? { outcome: 'orders', orders }
}

/** An exchange that manages pairs takes none of which one would trade at once (-1165, -1166 of Binance's spot documentation). */
function pairDenial(orders: readonly ResolvedOrder[], { features }: Market): Resolution | undefined {
  const taking = orders.find(({ warnings }) => warnings.some(({ code }) => code === 'W703'))
  if (!features.nativeOco || taking === undefined) return undefined
  const { side, price = '' } = taking
  const where = side === 'sell' ? 'above' : 'below'
  return deny(denied('E511', `${price} would trade at once: the limit of a pair must be ${where} the market`))
}
