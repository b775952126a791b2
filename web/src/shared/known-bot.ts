import type { KnownBot } from '@tripline/proto/language/label'

/** Returns a linked bot as messages name it. */
export function knownBot({ label, market_type }: { label: string; market_type: string }): KnownBot {
  return { label, market: market_type === 'spot' ? 'spot' : 'futures' }
}
