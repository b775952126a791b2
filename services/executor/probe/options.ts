import { parseArgs } from 'node:util'
import { z } from 'zod'
import { recordedMarkets } from '../src/venue/read/drift.ts'

export const help = `npm run venue-probe -- --venue <market> --testnet [options]
Tries at an exchange what Tripline takes for true of it, with the least orders that its market takes, and leaves nothing
behind. It says first what it would place and what that can cost, and asks.

  --venue <market>        ${recordedMarkets.join(', ')}
  --testnet | --mainnet   the network; on the mainnet it is real money, and it asks you to type so
  --base-url <url>        another address, such as a paper exchange: http://127.0.0.1:8090
  --symbol <symbol>       ETHUSDT unless it is said: its account may have no order and no position in it
  --out <folder>          where the recording goes; .data/venue-probe/<market>-<time> unless it is said
  --trigger-wait <s>      also places a stop beside the market, and waits so long for it to trigger
  --json                  prints the result as JSON, and its progress as errors
  --yes                   does not ask, except on the mainnet
  --help

Key and secret come from VENUE_API_KEY and VENUE_API_SECRET, or from the files that VENUE_API_KEY_FILE and
VENUE_API_SECRET_FILE name; else they are asked for and not shown. They need the right to trade, none to withdraw.

It ends with 0 where all holds, 1 where something differs, 2 where it could not run to its end, or something is left.`

/** The options of a run. */
export interface ProbeOptions {
  venue: (typeof recordedMarkets)[number]
  network: 'testnet' | 'mainnet'
  baseUrl: string | undefined
  symbol: string
  out: string | undefined
  triggerMs: number
  json: boolean
  yes: boolean
}

/** Thrown where the command cannot be run as it was given; its message is for the person who gave it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const Options = z.object({
  venue: z.enum(recordedMarkets, { error: `--venue is one of ${recordedMarkets.join(', ')}` }),
  'base-url': z
    .url({ protocol: /^https?$/, error: '--base-url is an address such as http://127.0.0.1:8090' })
    .optional(),
  symbol: z
    .string()
    .regex(/^[A-Z0-9]{5,20}$/, '--symbol is written as ETHUSDT')
    .default('ETHUSDT'),
  out: z.string().optional(),
  'trigger-wait': z.coerce.number('--trigger-wait is a number of seconds').min(0).max(600).default(0),
})

/** Reads the arguments; undefined where help is asked for. Throws a `UsageError` for any that it does not take. */
export function readOptions(args: readonly string[]): ProbeOptions | undefined {
  refuseKeys(args)
  const { values } = parsed(args)
  if (values.help) return undefined
  const read = Options.safeParse(values)
  if (!read.success) throw new UsageError(read.error.issues.map(({ message }) => message).join('\n'))
  const { venue, symbol, out, 'base-url': baseUrl, 'trigger-wait': triggerWaitS } = read.data
  if (values.testnet && values.mainnet) throw new UsageError('Either --testnet or --mainnet, not both.')
  if (!values.testnet && !values.mainnet && !isOwnMachine(baseUrl))
    throw new UsageError('Which network? Say --testnet, or --mainnet where it may cost real money.')
  const network = values.mainnet ? 'mainnet' : 'testnet'
  const { json, yes } = values
  return {
    venue,
    network,
    symbol,
    out,
    json,
    yes,
    baseUrl: baseUrl?.replace(/\/$/, ''),
    triggerMs: triggerWaitS * 1000,
  }
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ venue: text, 'base-url': text, symbol: text, out: text, 'trigger-wait': text },
        ...{ testnet: flag, mainnet: flag, json: flag, yes: flag, help: flag },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unknown arguments')
  }
}

const namesOfKeys = /^--?(api[-_]?)?(key|secret)\b/i
const likeAKey = /^(?=.*\d)(?=.*[a-z])[A-Za-z0-9]{16,}$/i

/** Arguments stay in the shell's history, and everybody on the machine sees them among the processes. */
function refuseKeys(args: readonly string[]): void {
  const isKey = (arg: string): boolean =>
    namesOfKeys.test(arg) || arg.includes('PRIVATE KEY') || likeAKey.test(arg.split('=').at(-1) ?? '')
  if (!args.some(isKey)) return
  throw new UsageError(
    'A key is never taken from an argument: those stay in the history of the shell, and everybody on this machine can\n' +
      'read them. Set VENUE_API_KEY and VENUE_API_SECRET, or files in VENUE_API_KEY_FILE and VENUE_API_SECRET_FILE, or\n' +
      'answer when you are asked. If what you typed is a real key, delete it at the exchange and make a new one.',
  )
}

/** True for an address of this machine: whatever answers there, nothing of it is real. */
export function isOwnMachine(url: string | undefined): boolean {
  if (url === undefined) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
