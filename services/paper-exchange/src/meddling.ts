import { marketOf } from './domain/market.ts'
import type { Order } from './domain/order.ts'
import type { Meddling } from './exchange.ts'
import type { Faults } from './store/faults.ts'
import type { Entry } from './store/ledger.ts'

/** Lets armed faults act inside the exchange: at fills and at triggers. */
export function meddlingBy(faults: Faults): Meddling {
  return {
    takes: (entry, order) => {
      const [fault] = faults.strike(factsOf(entry, order), 'fill')
      if (fault?.action !== 'partial-fill') return undefined
      return { ratio: fault.ratio, isRestRejected: fault.rest === 'rejected' }
    },
    atTrigger: (entry, order) => {
      const [fault] = faults.strike(factsOf(entry, order), 'trigger')
      if (fault?.action === 'stuck-trigger') return 'stuck'
      return fault?.action === 'reject-at-trigger' ? 'reject' : undefined
    },
  }
}

// Both families of markets of Bybit, and of OKX, are behind one wire.
function factsOf({ apiKey }: Entry, order: Order) {
  const { venue, symbol } = marketOf(order.market)
  return { wire: /^(bybit|okx)/.exec(venue)?.[0] ?? venue, apiKey, symbol }
}
