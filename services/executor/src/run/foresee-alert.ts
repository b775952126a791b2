import { now } from '@tripline/kit/time/clock'
import type { AlertBlock, AlertMessage } from '@tripline/proto/alert'
import { lastEntriesIn } from '../domain/account/entry.ts'
import type { KnownReading } from '../domain/account/known-reading.ts'
import type { LastEntries } from '../domain/account/last-entry.ts'
import {
  accountsAt,
  type ForeseenScene,
  foreseeRefusal,
  mayBeForeseen,
  scopeToForesee,
} from '../domain/execution/foresee.ts'
import type { Market } from '../domain/order/market.ts'
import type { Finding } from '../domain/preview/check.ts'
import type { Lanes } from '../lanes/lanes.ts'
import type { EntryStore } from '../store/entry-store.ts'
import type { BotClient } from '../venue/pool.ts'
import type { Venue } from '../venue/venue.ts'

/** An alert whose blocks passed the check, and where they run. */
export interface CheckedAlert {
  alert: AlertMessage
  clients: readonly (BotClient | undefined)[]
  lanes: Pick<Lanes, 'isFree'>
  entries: Pick<EntryStore, 'readNow'>
}

/** Findings on an alert before it runs. */
export interface Foresight {
  /** Refusals behind an entry: then nothing of the alert runs. */
  findings: readonly (Finding & { block: number })[]
  /** The blocks with something behind an entry that were not judged, since too little is known of price and account. */
  unjudged: ReadonlySet<number>
}

/**
 * Returns what is known beforehand, without a request. One block at most is judged on what its account holds in a
 * market, the first one there, and none in a lane that is used.
 */
export function foreseeAlert({ alert, clients, lanes, entries }: CheckedAlert): Foresight {
  const used = new Set<string>()
  const unjudged = new Set<number>()
  const findings = alert.blocks.flatMap((block, index) => {
    const client = clients[index]
    const market = client?.venue.market(block.symbol)
    if (client === undefined || market === undefined) return []
    const lane = { account: client.accountKey, market: market.symbol }
    const name = `${lane.account} ${lane.market}`
    const isFirst = !used.has(name)
    used.add(name)
    if (!mayBeForeseen(block.commands, market)) return []
    const noted = entries.readNow({ userId: alert.userId, ...block })
    const lastEntries = noted && lastEntriesIn(noted, undefined, now())
    const isNext = isFirst && lanes.isFree(lane)
    const scene = lastEntries && sceneOf(block, market, client.venue, lastEntries, isNext)
    const refusal = scene && foreseeRefusal(block.commands, scene)
    if (refusal === undefined && isLittle(scene, block)) unjudged.add(index)
    return refusal === undefined ? [] : [{ ...refusal, block: index }]
  })
  return { findings, unjudged }
}

/** True where too little is known to judge a block: no price, no side that may be held, or no account to size orders by. */
function isLittle(scene: ForeseenScene | undefined, { commands }: AlertBlock): boolean {
  if (scene === undefined || scene.accounts.length === 0) return true
  return scene.isPriceAlone === true && scopeToForesee(commands, scene.market) !== 'position'
}

function sceneOf(
  { symbol, commands }: AlertBlock,
  market: Market,
  venue: Venue,
  lastEntries: LastEntries,
  isNext: boolean,
): ForeseenScene | undefined {
  const scope = scopeToForesee(commands, market)
  const known = venue.knownNow?.(symbol, scope) ?? quoted(market, venue)
  if (known === undefined) return undefined
  const { account, prices } = known
  if (isNext && account !== undefined) return { market, accounts: [{ ...account, lastEntries }] }
  const accounts = accountsAt(prices, market, lastEntries)
  return { market, accounts, isPriceAlone: true }
}

/** Returns the quote looked at in passing; of futures it has no mark. */
function quoted({ kind, symbol }: Market, { quotes }: Venue): KnownReading | undefined {
  const quote = kind === 'spot' ? quotes?.recent(symbol) : undefined
  if (quote === undefined) return undefined
  const { bid, ask } = quote
  return { prices: { bid, ask, mark: bid, bandPrice: null } }
}
