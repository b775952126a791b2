import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedMarket } from '../src/venue/read/drift.ts'
import { noDigitLost } from './json-text.ts'
import type { Mask } from './mask.ts'

/** An answer or an event, as it came. */
export interface Seen {
  /** The path of the call with dots, or `stream`, or a topic with `ws.` before it, as the corpus names it. */
  call: string
  /** The request, in words that reveal nothing of the account. */
  asked: string
  status: number
  text: string
}

/** Keeps what an exchange sends, and writes it as files that the corpus reads. */
export interface Recorder {
  record: (seen: Seen) => void
  /** Writes each kind of answer and event to a folder of its own; returns how many files there are. */
  write: (folder: string) => Promise<number>
}

const mostOfAKind = 6

/** A recorder that has recorded nothing yet; `where` says from where it is. */
export function createRecorder(venue: RecordedMarket, where: string, mask: Mask): Recorder {
  const recorded = new Map<string, { seen: Seen; shape: string }[]>()
  const date = new Date().toISOString().slice(0, 10)
  return {
    record: (seen) => {
      // An empty list has no shape.
      if (seen.text.trim() === '[]') return
      const ofCall = recorded.get(seen.call) ?? []
      const shape = shapeOf(seen)
      recorded.set(seen.call, ofCall)
      if (ofCall.length < mostOfAKind && ofCall.every((one) => one.shape !== shape))
        ofCall.push({ seen, shape })
    },
    write: async (folder) => {
      await mkdir(folder, { recursive: true })
      const all = [...recorded.values()].flatMap((ofCall) =>
        ofCall.map(({ seen }, index) => ({ seen, index })),
      )
      for (const { seen, index } of all) {
        const { call, asked, status, text } = seen
        const masked = mask(text)
        const body = noDigitLost(masked) ? JSON.parse(masked) : masked
        const recording = { source: `venue probe at ${where}: ${asked}`, date, venue, call, status, body }
        await writeFile(join(folder, `${call}.${index + 1}.json`), `${JSON.stringify(recording, null, 2)}\n`)
      }
      return all.length
    },
  }
}

// Numbers and ids alone make no new kind of text: words of the exchange, such as a status, do.
function shapeOf({ status, text }: Seen): string {
  return `${status} ${text.replace(/"[^"]*\d[^"]*"(?!\s*:)/g, '""').replace(/-?\d[\d.]*/g, '0')}`
}
