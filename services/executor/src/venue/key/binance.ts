import { now } from '@tripline/kit/time/clock'
import { z } from 'zod'
import {
  clockOffset,
  type KeyFault,
  type KeyFindings,
  type KeyRights,
} from '../../domain/account/key-test.ts'
import { clockDiffers, keyFaults } from '../binance/codes.ts'
import { loadExchange } from '../http/load-exchange.ts'
import type { RecordedMarket } from '../read/drift.ts'
import { parseBody } from '../read/parse-json.ts'
import { Flag, spare, Whole } from '../read/read-fields.ts'
import { answerMs, askVenue, type VenueAnswer } from './ask-venue.ts'
import { type KeyTrial, otherNetwork } from './key-trial.ts'

const Time = z.object({ serverTime: Whole })
const Account = z.object({ canTrade: Flag })
const right = (field: string) => spare(field, Flag, undefined)
const Restrictions = z.object({
  ipRestrict: right('ipRestrict'),
  enableWithdrawals: right('enableWithdrawals'),
  enableSpotAndMarginTrading: right('enableSpotAndMarginTrading'),
  enableFutures: right('enableFutures'),
})
type Restrictions = z.infer<typeof Restrictions>

/** Tries a key at Binance, or at what speaks its protocol. */
export async function probeBinance(place: KeyTrial): Promise<Pick<KeyFindings, 'clockOffsetMs' | 'key'>> {
  const endpoint = await openEndpoint(place)
  const askedAt = now()
  const time = await endpoint.time()
  if (time.outcome !== 'answered') return { clockOffsetMs: undefined, key: undefined }
  const clockOffsetMs = Math.round(clockOffset(time.value.serverTime, askedAt, now()))
  return { clockOffsetMs, key: await tryKey(place, endpoint) }
}

async function tryKey(place: KeyTrial, endpoint: Endpoint): Promise<KeyFindings['key']> {
  const account = await endpoint.account()
  if (account.outcome === 'unreachable') return undefined
  const restrictions = await restrictionsOf(place)
  if (account.outcome === 'answered') {
    const granted = restrictions?.outcome === 'answered' ? restrictions.value : undefined
    return { isAccepted: true, rights: rightsOf(place, account.value.canTrade, granted) }
  }
  return { isAccepted: false, fault: await faultOf(place, account.code, restrictions) }
}

function rightsOf({ market }: KeyTrial, canTrade: boolean, granted: Restrictions | undefined): KeyRights {
  const enabled = market.endsWith('spot') ? granted?.enableSpotAndMarginTrading : granted?.enableFutures
  return {
    mayTrade: canTrade && enabled !== false,
    mayWithdraw: granted?.enableWithdrawals,
    isBoundToAddresses: granted?.ipRestrict,
  }
}

/** -2015 has four causes, which other answers report apart as far as Binance lets them. */
async function faultOf(
  place: KeyTrial,
  code: number,
  restrictions: VenueAnswer<Restrictions> | undefined,
): Promise<KeyFault> {
  const fault = faultIn(code)
  if (fault !== 'unknown_key' && fault !== 'unknown_key_or_address') return fault
  // Every key that is known and comes from an allowed address may read its own restrictions.
  if (restrictions?.outcome === 'answered') return 'permission'
  if (await isKnownElsewhere(place)) return 'other_network'
  const granted = restrictions?.outcome === 'refused' ? faultIn(restrictions.code) : undefined
  return granted === 'unknown_key' ? granted : fault
}

function faultIn(code: number): KeyFault {
  return clockDiffers.includes(code) ? 'clock' : (keyFaults.get(code) ?? 'other')
}

/** A key that the other network knows gets another refusal there, if any. */
async function isKnownElsewhere(place: KeyTrial): Promise<boolean> {
  const network = otherNetwork(place.network)
  if (place.addressOf(place.market, network) === place.addressOf(place.market, place.network)) return false
  const account = await (await openEndpoint({ ...place, network })).account()
  if (account.outcome === 'answered') return true
  return account.outcome === 'refused' && faultIn(account.code) === 'wrong_secret'
}

/** The permissions of a key are reported by the mainnet only, and by its spot host. */
async function restrictionsOf(place: KeyTrial): Promise<VenueAnswer<Restrictions> | undefined> {
  if (place.network === 'testnet' || place.market.startsWith('paper')) return undefined
  const endpoint = await openEndpoint({ ...place, market: 'binance_spot' })
  return await endpoint.restrictions()
}

interface Endpoint {
  time: () => Promise<VenueAnswer<z.infer<typeof Time>>>
  account: () => Promise<VenueAnswer<z.infer<typeof Account>>>
  restrictions: () => Promise<VenueAnswer<Restrictions>>
}

async function openEndpoint({ credentials, market, network, addressOf }: KeyTrial): Promise<Endpoint> {
  const Binance = await loadExchange('binance')
  const base = addressOf(market, network)
  const api = {
    public: `${base}/api/v3`,
    private: `${base}/api/v3`,
    sapi: `${base}/sapi/v1`,
    fapiPublic: `${base}/fapi/v1`,
    fapiPrivate: `${base}/fapi/v1`,
  }
  const client = new Binance({
    ...credentials,
    enableRateLimit: false,
    timeout: answerMs,
    urls: { api } as unknown as Record<string, string>,
    options: { maxRetriesOnFailure: 0 },
  })
  client.parseJson = parseBody
  const get = async (path: string, kind: string): Promise<unknown> => await client.request(path, kind, 'GET')
  const isSpot = market.endsWith('spot')
  const venue: RecordedMarket = isSpot ? 'binance-spot' : 'binance-futures'
  const account = isSpot ? 'account' : 'accountConfig'
  return {
    time: async () =>
      await askVenue(get('time', isSpot ? 'public' : 'fapiPublic'), { venue, call: 'time' }, Time),
    account: async () =>
      await askVenue(get(account, isSpot ? 'private' : 'fapiPrivate'), { venue, call: account }, Account),
    restrictions: async () => {
      const source = { venue: 'binance-spot', call: 'account.apiRestrictions' } as const
      return await askVenue(get('account/apiRestrictions', 'sapi'), source, Restrictions)
    },
  }
}
