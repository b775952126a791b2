import { now } from '@tripline/kit/time/clock'
import { z } from 'zod'
import { clockOffset, type KeyFindings, type KeyRights } from '../../domain/account/key-test.ts'
import { blamesClock, keyFaults } from '../okx/codes.ts'
import { okxDialect } from '../okx/dialect.ts'
import type { ReadMarket } from '../read/drift.ts'
import { parseBody } from '../read/parse-json.ts'
import { spare, Text, Whole } from '../read/read-fields.ts'
import { askVenue } from './ask-venue.ts'
import type { KeyTrial } from './key-trial.ts'

const Time = z.object({ data: z.tuple([z.object({ ts: Whole })]) })
const Modes = { acctLv: spare('acctLv', Text, ''), posMode: spare('posMode', Text, '') }
const Config = z.object({ data: z.tuple([z.object({ perm: Text, ip: Text, ...Modes })]) })

/** Tries a key at OKX, or at what speaks its protocol. */
export async function probeOkx(place: KeyTrial): Promise<Pick<KeyFindings, 'clockOffsetMs' | 'key'>> {
  const { addressOf, market, network, credentials } = place
  const isSpot = market === 'okx_spot'
  const dialect = okxDialect(isSpot ? 'spot' : 'linear')
  const { passphrase: password, ...keys } = credentials
  const headers = dialect.headersOf('', network, 0)
  const urls = { api: { rest: addressOf(market, network) } }
  const client = await dialect.openLibrary({ ...keys, password, headers, urls, enableRateLimit: false })
  client.parseJson = parseBody
  const get = async (path: string, api: string): Promise<unknown> => await client.request(path, api, 'GET')
  const venue: ReadMarket = isSpot ? 'okx-spot' : 'okx-linear'
  const askedAt = now()
  const time = await askVenue(get('public/time', 'public'), { venue, call: 'public.time' }, Time)
  if (time.outcome !== 'answered') return { clockOffsetMs: undefined, key: undefined }
  const clockOffsetMs = Math.round(clockOffset(time.value.data[0].ts, askedAt, now()))
  const config = await askVenue(get('account/config', 'private'), { venue, call: 'account.config' }, Config)
  if (config.outcome === 'unreachable') return { clockOffsetMs, key: undefined }
  if (config.outcome === 'refused') {
    const fault = blamesClock(config) ? 'clock' : (keyFaults.get(config.code) ?? 'other')
    return { clockOffsetMs, key: { isAccepted: false, fault } }
  }
  const { perm, ip, ...modes } = config.value.data[0]
  const may = perm.split(',')
  const rights = {
    mayTrade: may.includes('trade'),
    mayWithdraw: may.includes('withdraw'),
    isBoundToAddresses: ip !== '',
    unfit: isSpot ? undefined : unfitForSwaps(modes),
  }
  return { clockOffsetMs, key: { isAccepted: true, rights } }
}

/** Returns what keeps an account from trading swaps as our orders do ("Get account configuration" of the documentation). */
function unfitForSwaps({ acctLv, posMode }: { acctLv: string; posMode: string }): KeyRights['unfit'] {
  if (acctLv === '1')
    return { message: 'The account is in Spot mode, without swaps', fix: 'Set it to Futures mode at OKX' }
  if (posMode === 'long_short_mode')
    return { message: 'The account holds long and short apart', fix: 'Set its position mode to net at OKX' }
  return undefined
}
