import type { AccountSettings } from '../../domain/account/account.ts'
import { createShownAfter } from '../account/shown-after.ts'
import { type Urgency, urgencyOf } from '../http/rest-client.ts'

// Settings can be changed by hand at the venue, and it does not report every change.
const trustedMs = 60_000

/** The settings of an account, as they were within the last minute. */
export interface KnownSettings {
  of: (symbol: string, isUrgent?: boolean) => Promise<AccountSettings>
  /** The same without asking; undefined where they were not requested within the last minute. */
  known: (symbol: string) => AccountSettings | undefined
  /** The same however long ago they were requested. */
  last: (symbol: string) => AccountSettings | undefined
  /** Asks anew for a symbol's. */
  refresh: (symbol: string, isUrgent?: boolean) => Promise<AccountSettings>
  /** Marks the known settings as not to be trusted any more. */
  forget: () => void
}

/** Settings that were not requested yet. */
export function createKnownSettings(
  ask: (symbol: string, urgency: Urgency) => Promise<AccountSettings>,
): KnownSettings {
  const { changed, shown } = createShownAfter()
  let known = new Map<string, { at: number; settings: AccountSettings }>()
  const recent = (symbol: string): AccountSettings | undefined => {
    const before = known.get(symbol)
    return before !== undefined && performance.now() - before.at < trustedMs ? before.settings : undefined
  }
  const refresh = async (symbol: string, isUrgent?: boolean): Promise<AccountSettings> => {
    const wait = shown()
    if (wait !== undefined) await wait
    const at = performance.now()
    // An answer to what was asked before they were forgotten is forgotten too.
    const asked = known
    const settings = await ask(symbol, urgencyOf(isUrgent))
    asked.set(symbol, { at, settings })
    return settings
  }
  return {
    of: async (symbol, isUrgent) => recent(symbol) ?? (await refresh(symbol, isUrgent)),
    known: recent,
    last: (symbol) => known.get(symbol)?.settings,
    refresh,
    forget: () => {
      known = new Map()
      changed()
    },
  }
}
