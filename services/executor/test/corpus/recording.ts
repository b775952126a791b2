import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** An answer or event of a venue in the shape in which it was recorded. */
export const Recording = z.strictObject({
  /** From where it is known that the venue sends it. */
  source: z.string(),
  date: z.string(),
  venue: z.enum(['binance-spot', 'binance-futures', 'bybit-spot', 'bybit-linear']),
  /** The path of the call with dots, a topic with `ws.` before it, or its price with `prices.` before it. */
  call: z.string(),
  status: z.number().default(200),
  /** The text that was sent, or its JSON where no number of it loses digits. */
  body: z.unknown(),
  /** A part of what it is read as. */
  expected: z.unknown().optional(),
})
export type Recording = z.infer<typeof Recording>

/** A recording with the name of its file. */
export interface NamedRecording extends Recording {
  name: string
}

/** The text of a recording, as it was sent. */
export function textOf({ body }: Pick<Recording, 'body'>): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The result of a recording that went the way of production. */
export interface Finding {
  isRead: boolean
  /** The parsed value, or why there is none. */
  value: unknown
}

/** Sends recordings of a venue the way that they take in production. */
export interface Replayer {
  replay: (recording: Recording) => Promise<Finding>
  stop: () => Promise<void>
}

/** The recordings in the files below a folder that end in `.json`. */
export async function recordingsIn(folder: string): Promise<NamedRecording[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort()
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, ...(asRecording(text) ?? { ...bareRecording(name, text) }) }
    }),
  )
}

function asRecording(text: string): Recording | undefined {
  try {
    return Recording.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

// Files without a header lie in folders that are named by venue and call, such as `by.orders/01.json`.
function bareRecording(name: string, body: string): Recording {
  const [folder = ''] = name.split('/')
  const [venue = '', ...path] = folder.split('.')
  const call = callsOf[folder] ?? path.join('.')
  return { source: name, date: '', venue: venueOf(venue, path, body), call, status: 200, body }
}

function venueOf(prefix: string, path: readonly string[], body: string): Recording['venue'] {
  if (prefix === 'bs') return 'binance-spot'
  if (prefix === 'bf') return 'binance-futures'
  // Not every answer of Bybit says of which category it is.
  const isSpot = path.includes('spot') || /"category":\s*"spot"/.test(body)
  return isSpot ? 'bybit-spot' : 'bybit-linear'
}

const callsOf: Readonly<Record<string, string>> = {
  'by.accountInfo': 'account.info',
  'by.ack': 'order.create',
  'by.instruments.linear': 'market.instruments-info',
  'by.instruments.spot': 'market.instruments-info',
  'by.executions': 'execution.list',
  'by.orders': 'order.realtime',
  'by.positions': 'position.list',
  'by.post': 'position.set-leverage',
  'by.post.refused': 'account.set-margin-mode',
  'by.tickers': 'market.tickers',
  'by.tickers.linear': 'market.tickers',
  'by.tickers.spot': 'market.tickers',
  'by.wallet': 'account.wallet-balance',
  'by.ws.ack': 'ws.order.create',
}
