import type { BotId, UserId } from '@tripline/proto/id'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { VenuePool } from '../venue/pool.ts'

/** One market of an account, or, without a lane, all that trades at a venue. */
interface LaneUse {
  venue: string
  lane?: string
}

/** The lanes that an alert may enter, or more; undefined where it may enter any of its user's. */
export type LaneUses = readonly LaneUse[] | undefined

/** An alert of more lanes than this counts as one of whole venues. */
const mostLanes = 16

/** Counts how often each lane is used. */
export interface LaneCounts {
  add: (uses: LaneUses) => void
  remove: (uses: LaneUses) => void
  /** True where any lane of these is used. */
  touches: (uses: LaneUses) => boolean
}

/** No lane is used. */
export function createLaneCounts(): LaneCounts {
  const counts = new Map<string, number>()
  const change = (uses: LaneUses, by: 1 | -1): void => {
    for (const key of uses === undefined ? [everything] : uses.flatMap(keysOf)) {
      const count = (counts.get(key) ?? 0) + by
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    }
  }
  return {
    add: (uses) => change(uses, 1),
    remove: (uses) => change(uses, -1),
    touches: (uses) => {
      if (uses === undefined) return counts.size > 0
      const isUsed = ({ venue, lane }: LaneUse): boolean =>
        lane === undefined ? counts.has(venue) : counts.has(lane) || counts.has(wholeOf(venue))
      return counts.has(everything) || uses.some(isUsed)
    },
  }
}

const everything = '*'

/** The keys under which a use is counted: each one under its venue too. */
function keysOf({ venue, lane }: LaneUse): string[] {
  return [venue, lane ?? wholeOf(venue)]
}

function wholeOf(venue: string): string {
  return `${venue} *`
}

/** Returns the lanes of an alert by its stored text, which is not parsed for that: with a lane too many nothing goes wrong. */
export function laneUsesIn(
  { pool, directory }: { pool: Pick<VenuePool, 'client'>; directory: Pick<BotDirectory, 'bot'> },
  userId: UserId,
  text: string,
): LaneUses {
  const bots = valuesOf(text, '"botId":"') as BotId[]
  const symbols = valuesOf(text, '"symbol":"')
  const isWide = isAccountWide.test(text) || bots.length * symbols.length > mostLanes
  const uses: LaneUse[] = []
  for (const botId of bots) {
    const bot = directory.bot(userId, botId)
    if (bot === undefined) return undefined
    const venue = `${bot.exchange} ${bot.marketType} ${bot.isTestnet}`
    const client = pool.client(botId)
    const markets = symbols.map((symbol) => client?.venue.market(symbol)?.symbol)
    if (client === undefined || isWide || markets.includes(undefined)) uses.push({ venue })
    else uses.push(...markets.map((market) => ({ venue, lane: `${client.accountKey} ${market}` })))
  }
  return uses.length === 0 ? undefined : uses
}

const isAccountWide = /"(?:positionMode|marginMode)":/

/** The texts behind this mark in JSON as we write it, each once; within a text its quotes would be escaped. */
function valuesOf(json: string, mark: string): string[] {
  const values = new Set<string>()
  for (let at = json.indexOf(mark); at !== -1; at = json.indexOf(mark, at)) {
    at += mark.length
    const end = endOfText(json, at)
    values.add(textIn(json.slice(at, end)))
    at = end
  }
  return [...values]
}

/** Returns the end of the text in JSON that begins here. */
function endOfText(json: string, start: number): number {
  let end = start
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1
  return end
}

/** The text that stands so in JSON; one that cannot is in no alert that can be read. */
function textIn(written: string): string {
  if (!written.includes('\\')) return written
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written
  }
}
