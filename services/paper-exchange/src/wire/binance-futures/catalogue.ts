import type { Market } from '../../domain/market.ts'

/** The venue's facts of a listing beside its rules. */
export type Listing = Readonly<{ onboardedAt: number; sector: string }>

const LISTINGS: Readonly<Record<string, Listing>> = {
  BTC: { onboardedAt: 1569398400000, sector: 'PoW' },
  ETH: { onboardedAt: 1569398400000, sector: 'Layer-1' },
  SOL: { onboardedAt: 1600066800000, sector: 'Layer-1' },
  XRP: { onboardedAt: 1569398400000, sector: 'Layer-1' },
  DOGE: { onboardedAt: 1594278000000, sector: 'Meme' },
  BNB: { onboardedAt: 1581404400000, sector: 'Layer-1' },
  '1000PEPE': { onboardedAt: 1683270000000, sector: 'Meme' },
}

const NEWCOMER: Listing = { onboardedAt: 1763683200000, sector: 'Layer-1' }

/** Since when a market is listed and under what; a market that was added later is a newcomer. */
export function listingOf({ base }: Market): Listing {
  return LISTINGS[base] ?? NEWCOMER
}
