import { now } from '@tripline/kit/time/clock'
import { z } from 'zod'
import { clockOffset, type KeyFindings } from '../../domain/account/key-test.ts'
import { blamesClock, keyFaults } from '../okx/codes.ts'
import { okxDialect } from '../okx/dialect.ts'
import type { ReadMarket } from '../read/drift.ts'
import { parseBody } from '../read/parse-json.ts'
import { Text, Whole } from '../read/read-fields.ts'
import { askVenue } from './ask-venue.ts'
import type { KeyTrial } from './key-trial.ts'

const Time = z.object({ data: z.tuple([z.object({ ts: Whole })]) })
const Config = z.object({ data: z.tuple([z.object({ perm: Text, ip: Text })]) })

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
  const { perm, ip } = config.value.data[0]
  const may = perm.split(',')
  const rights = {
    mayTrade: may.includes('trade'),
    mayWithdraw: may.includes('withdraw'),
    isBoundToAddresses: ip !== '',
  }
  return { clockOffsetMs, key: { isAccepted: true, rights } }
}
