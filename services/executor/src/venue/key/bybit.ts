import { now } from '@tripline/kit/time/clock'
import { z } from 'zod'
import {
  clockOffset,
  type KeyFault,
  type KeyFindings,
  type KeyRights,
} from '../../domain/account/key-test.ts'
import { blamesClock, keyFaults } from '../bybit/codes.ts'
import { loadExchange } from '../http/load-exchange.ts'
import type { RecordedMarket } from '../read/drift.ts'
import { parseBody } from '../read/parse-json.ts'
import { Flag, spare, Whole } from '../read/read-fields.ts'
import { answerMs, askVenue, type VenueAnswer } from './ask-venue.ts'
import { type KeyTrial, otherNetwork } from './key-trial.ts'

const none: string[] = []
const Time = z.object({ time: Whole })
const KeyInfo = z.object({
  result: z.object({
    readOnly: Flag,
    permissions: z.record(z.string(), spare('permissions', z.array(z.string()), none)),
    // A text with commas in requests that change it.
    ips: spare('ips', z.union([z.array(z.string()), z.string().transform((text) => text.split(','))]), none),
  }),
})
type KeyInfo = z.infer<typeof KeyInfo>['result']

/** Tries a key at Bybit, or at what speaks its protocol. */
export async function probeBybit(place: KeyTrial): Promise<Pick<KeyFindings, 'clockOffsetMs' | 'key'>> {
  const endpoint = await openEndpoint(place)
  const askedAt = now()
  const time = await endpoint.time()
  if (time.outcome !== 'answered') return { clockOffsetMs: undefined, key: undefined }
  const clockOffsetMs = Math.round(clockOffset(time.value.time, askedAt, now()))
  return { clockOffsetMs, key: await tryKey(place, endpoint) }
}

async function tryKey(place: KeyTrial, endpoint: Endpoint): Promise<KeyFindings['key']> {
  const info = await endpoint.keyInfo()
  if (info.outcome === 'unreachable') return undefined
  if (info.outcome === 'answered') return { isAccepted: true, rights: rightsOf(place, info.value.result) }
  const fault = faultIn(info.code)
  const isElsewhere = fault === 'unknown_key' && (await isKnownElsewhere(place))
  return { isAccepted: false, fault: isElsewhere ? 'other_network' : fault }
}

function faultIn(code: number): KeyFault {
  return blamesClock({ code }) ? 'clock' : (keyFaults.get(code) ?? 'other')
}

function rightsOf({ market }: KeyTrial, { readOnly, permissions, ips }: KeyInfo): KeyRights {
  const may = (kind: string, act: string): boolean => permissions[kind]?.includes(act) === true
  const mayTradeHere =
    market === 'bybit_spot'
      ? may('Spot', 'SpotTrade')
      : may('ContractTrade', 'Order') || may('Derivatives', 'DerivativesTrade')
  return {
    mayTrade: !readOnly && mayTradeHere,
    mayWithdraw: !readOnly && may('Wallet', 'Withdraw'),
    isBoundToAddresses: ips.length > 0 && !ips.includes('*'),
  }
}

async function isKnownElsewhere(place: KeyTrial): Promise<boolean> {
  const network = otherNetwork(place.network)
  if (place.addressOf(place.market, network) === place.addressOf(place.market, place.network)) return false
  const info = await (await openEndpoint({ ...place, network })).keyInfo()
  return info.outcome === 'answered' || (info.outcome === 'refused' && faultIn(info.code) === 'wrong_secret')
}

interface Endpoint {
  time: () => Promise<VenueAnswer<z.infer<typeof Time>>>
  keyInfo: () => Promise<VenueAnswer<z.infer<typeof KeyInfo>>>
}

async function openEndpoint({ credentials, market, network, addressOf }: KeyTrial): Promise<Endpoint> {
  const Bybit = await loadExchange('bybit')
  const base = addressOf(market, network)
  const client = new Bybit({
    ...credentials,
    enableRateLimit: false,
    timeout: answerMs,
    urls: { api: { public: base, private: base } } as unknown as Record<string, string>,
    options: { maxRetriesOnFailure: 0 },
  })
  client.parseJson = parseBody
  const venue: RecordedMarket = market === 'bybit_spot' ? 'bybit-spot' : 'bybit-linear'
  const get = async (path: string, kind: string): Promise<unknown> => await client.request(path, kind, 'GET')
  return {
    time: async () => await askVenue(get('v5/market/time', 'public'), { venue, call: 'market.time' }, Time),
    keyInfo: async () =>
      await askVenue(get('v5/user/query-api', 'private'), { venue, call: 'user.query-api' }, KeyInfo),
  }
}
