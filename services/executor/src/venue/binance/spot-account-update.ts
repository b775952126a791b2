import { add, DecimalText } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { AccountNews } from '../../domain/account-view.ts'

const Update = z.object({
  u: z.number(),
  B: z.array(z.object({ a: z.string(), f: DecimalText, l: DecimalText })),
})

/** What an outboundAccountPosition tells: all there is now of each coin that an event may have changed. */
export function readSpotAccountUpdate(answer: unknown): AccountNews {
  const { u, B } = Update.parse(answer)
  return {
    at: u,
    isWhole: true,
    wallets: new Map(),
    positions: B.map(({ a, f, l }) => ({
      symbol: a,
      side: 'both',
      quantity: add(f, l),
      entryPrice: null,
      free: f,
    })),
  }
}

/** What any other event tells, such as a deposit or a lock from outside: that there is something to be read. */
export function unclearNews(at: number): AccountNews {
  return { at, isWhole: false, wallets: new Map(), positions: [] }
}
