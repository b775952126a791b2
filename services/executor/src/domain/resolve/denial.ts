import type { Market } from '../market.ts'
import { type Denial, denied } from '../sizing-basis.ts'
import type { Resolution } from './resolution.ts'

/** The resolution of a command that is refused. */
export function deny({ code, error }: Denial): Resolution {
  return { outcome: 'denied', code, error }
}

/** The refusal of an order that protects a position which is not there. */
export function nothingToProtect({ base }: Market): Denial {
  return denied('E505', `there is no ${base} position to protect`)
}
