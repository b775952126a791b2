import { isZero, subtract } from '@tripline/proto/decimal'
import type { AccountSettings } from '../../../domain/account/account.ts'
import type { RestClient } from '../../http/rest-client.ts'
import { createKnownSettings, type KnownSettings } from '../../settings/known-settings.ts'
import { modeOf, type PositionUpdate } from './linear-rows.ts'
import { readSettings } from './read-account.ts'

/** The settings of an account in linear markets. */
export interface LinearSettings extends KnownSettings {
  /** Returns the position mode of a symbol when it showed last, however long ago; undefined if it never did. */
  modeOf: (symbol: string) => AccountSettings['positionMode'] | undefined
  /** Takes in a position that was reported; true where it shows that settings were changed. */
  learn: (update: PositionUpdate) => boolean
}

/** Settings that were not requested yet. */
export function createLinearSettings({ get }: Pick<RestClient, 'get'>): LinearSettings {
  const modes = new Map<string, AccountSettings['positionMode']>()
  const settings = createKnownSettings(async (symbol, urgency) => {
    const [positions, info] = await Promise.all([
      get('/v5/position/list', { category: 'linear', symbol }, urgency),
      get('/v5/account/info', {}, urgency),
    ])
    const read = readSettings(positions, info)
    modes.set(symbol, read.positionMode)
    return read
  })
  return {
    ...settings,
    modeOf: (symbol) => modes.get(symbol),
    learn: ({ position: { symbol, side }, leverage }) => {
      const mode = modeOf(side)
      const before = modes.get(symbol)
      modes.set(symbol, mode)
      const known = settings.last(symbol)
      // The venue says none where leverage has no meaning.
      const isOther = known !== undefined && !isZero(leverage) && !isZero(subtract(known.leverage, leverage))
      return isOther || (before !== undefined && before !== mode)
    },
  }
}
