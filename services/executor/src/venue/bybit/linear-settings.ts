import { isZero, subtract } from '@tripline/proto/decimal'
import type { AccountSettings } from '../../domain/account/account.ts'
import { createShownAfter } from '../account/shown-after.ts'
import { type RestClient, urgencyOf } from '../http/rest-client.ts'
import { modeOf, type PositionUpdate } from './linear-rows.ts'
import { readSettings } from './read-account.ts'

// Settings can be changed by hand at the venue, and it does not report all of them.
const trustedMs = 60_000

/** The settings of an account, as they were within the last minute. */
export interface LinearSettings {
  of: (symbol: string, isUrgent: boolean) => Promise<AccountSettings>
  /** The same without asking; undefined where nobody asked within the last minute. */
  known: (symbol: string) => AccountSettings | undefined
  /** Asks anew for a symbol's. */
  refresh: (symbol: string, isUrgent: boolean) => Promise<AccountSettings>
  /** Returns the position mode of a symbol when it showed last, however long ago; undefined if it never did. */
  modeOf: (symbol: string) => AccountSettings['positionMode'] | undefined
  /** Takes in a position that was reported; true where it shows that settings were changed. */
  learn: (update: PositionUpdate) => boolean
  /** Marks the known settings as not to be trusted any more. */
  forget: () => void
}

/** Settings that nobody has asked for yet. */
export function createLinearSettings({ get }: Pick<RestClient, 'get'>): LinearSettings {
  const { changed, shown } = createShownAfter()
  let known = new Map<string, { at: number; settings: AccountSettings }>()
  const modes = new Map<string, AccountSettings['positionMode']>()
  const recent = (symbol: string): AccountSettings | undefined => {
    const before = known.get(symbol)
    return before !== undefined && performance.now() - before.at < trustedMs ? before.settings : undefined
  }
  const refresh = async (symbol: string, isUrgent: boolean): Promise<AccountSettings> => {
    const wait = shown()
    if (wait !== undefined) await wait
    const at = performance.now()
    // An answer to what was asked before they were forgotten is forgotten too.
    const asked = known
    const [positions, info] = await Promise.all([
      get('/v5/position/list', { category: 'linear', symbol }, urgencyOf(isUrgent)),
      get('/v5/account/info', {}, urgencyOf(isUrgent)),
    ])
    const settings = readSettings(positions, info)
    asked.set(symbol, { at, settings })
    modes.set(symbol, settings.positionMode)
    return settings
  }
  return {
    of: async (symbol, isUrgent) => recent(symbol) ?? (await refresh(symbol, isUrgent)),
    known: recent,
    refresh,
    modeOf: (symbol) => modes.get(symbol),
    learn: ({ position: { symbol, side }, leverage }) => {
      const mode = modeOf(side)
      const before = modes.get(symbol)
      modes.set(symbol, mode)
      const settings = known.get(symbol)?.settings
      // The venue says none where leverage has no meaning.
      const isOther =
        settings !== undefined && !isZero(leverage) && !isZero(subtract(settings.leverage, leverage))
      return isOther || (before !== undefined && before !== mode)
    },
    forget: () => {
      known = new Map()
      changed()
    },
  }
}
