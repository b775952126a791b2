import type { Market } from '../order/market.ts'
import { type Denial, denied, type NothingToSize } from '../sizing/basis.ts'
import type { Resolution } from './resolution.ts'

/** The resolution of a command that is refused. */
export function deny({ code, error }: Denial): Resolution {
  return { outcome: 'denied', code, error }
}

/** The resolution of a command whose size comes to no order. */
export function unplaced(size: NothingToSize | Denial): Resolution {
  return size.size === 'denied' ? deny(size) : { outcome: 'nothing', code: size.code, note: size.note }
}

/** The refusal of an order that protects a position which is not there. */
export function nothingToProtect({ base }: Market): Denial {
  return denied('E505', `there is no ${base} position to protect`)
}
