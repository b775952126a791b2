import { isOpen, type Order } from '../domain/order.ts'
import { openOrdersOf } from '../store/ledger.ts'
import { awakenAll } from './awaken.ts'
import { end } from './end.ts'
import { attach } from './protect.ts'
import type { Run } from './run.ts'
import { endUncovered } from './uncovered.ts'

/** Looks after everything that a change brings with it, until nothing is left to do. */
export function tidy(run: Run): void {
  for (;;) {
    const gone = run.gone.shift()
    if (gone) {
      endProtections(run, gone)
      continue
    }
    const attached = run.attached.shift()
    if (attached) {
      attach(run, attached.entry, attached.order, attached.quantity)
      continue
    }
    const poorer = run.poorer.shift()
    if (poorer) {
      endUncovered(run, poorer.entry, poorer.asset)
      continue
    }
    const [moved] = run.lastMoved
    if (!moved) return
    run.lastMoved.delete(moved)
    awakenAll(run, moved, ['last'])
  }
}

// Orders that protect a position, or close it whole, end with it.
function endProtections(run: Run, { entry, market, side }: Run['gone'][number]): void {
  for (const order of openOrdersOf(entry, market)) {
    const known = entry.orders.get(order.id)
    if (!known || !isOpen(known) || known.positionSide !== side || !belongsToPosition(known)) continue
    end(run, entry, known, 'positionClosed')
  }
}

function belongsToPosition({ status, origin, closePosition }: Order): boolean {
  return status === 'untriggered' && (origin === 'protection' || closePosition === true)
}
