import { decidedAtBinance, wordsDecidedAtBinance } from './binance-decided.ts'
import { binanceReplayer } from './binance-replay.ts'
import { decidedAtBybit, wordsDecidedAtBybit } from './bybit-decided.ts'
import { bybitReplayer } from './bybit-replay.ts'
import type { Mutant } from './mutants.ts'
import type { Finding, Recording, Replayer } from './recording.ts'

/** The replay of a market's recordings, and the parts that decisions need. */
interface Way {
  open: () => Promise<Replayer>
  decided: Readonly<Record<string, readonly string[]>>
  decidedWords: readonly string[]
}

const atBybit = { decided: decidedAtBybit, decidedWords: wordsDecidedAtBybit }
const atBinance = { decided: decidedAtBinance, decidedWords: wordsDecidedAtBinance }
const ways: Readonly<Record<Recording['venue'], Way>> = {
  'binance-futures': { open: async () => await binanceReplayer('futures'), ...atBinance },
  'binance-spot': { open: async () => await binanceReplayer('spot'), ...atBinance },
  'bybit-linear': { open: async () => await bybitReplayer('linear'), ...atBybit },
  'bybit-spot': { open: async () => await bybitReplayer('spot'), ...atBybit },
}

/** The replayers of all markets, each made when it is needed first. */
export interface Replayers {
  replay: (recording: Recording) => Promise<Finding>
  stop: () => Promise<void>
}

/** Replayers of which none is made yet. */
export function replayers(): Replayers {
  const made = new Map<string, Promise<Replayer>>()
  return {
    replay: async (recording) => {
      const replayer = made.get(recording.venue) ?? ways[recording.venue].open()
      made.set(recording.venue, replayer)
      return await (await replayer).replay(recording)
    },
    stop: async () => {
      for (const replayer of made.values()) await (await replayer).stop()
    },
  }
}

/** True where the change is of something that a decision hangs on, so that the whole may be unreadable. */
export function isDecidedOn({ recording, field, change }: Mutant): boolean {
  const { decided, decidedWords } = ways[recording.venue]
  if (change === 'more' || change === 'exchanged') return false
  if (change === 'new word') return decidedWords.includes(field.split('.').at(-1) ?? '')
  return [...(decided['every'] ?? []), ...(decided[recording.call] ?? [])].includes(field)
}
