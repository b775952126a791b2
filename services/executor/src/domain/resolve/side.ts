import type { Side } from '../side.ts'
import { type Sizing, sizeOrder } from '../sizing.ts'
import { deny } from './denial.ts'
import type { Resolution, Scene } from './resolution.ts'

/** The side of a command: as written, or what leads to its target position. */
export function sideOf(command: Sizing, { market, reading }: Scene): Side | Resolution {
  if (command.side !== undefined && command.position === undefined) return command.side
  const size = sizeOrder(command, market, reading)
  if (size.size === 'order') return size.side
  return size.size === 'nothing' ? { outcome: 'nothing', note: size.note } : deny(size)
}
