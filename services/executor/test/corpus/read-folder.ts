import { onDrift } from '../../src/venue/read/drift.ts'
import { calledIn, callsOf } from './calls.ts'
import { recordingsIn } from './recording.ts'
import { replayers } from './replayers.ts'

// Reads the recordings of a folder in the way of production, and prints what could not be taken:
// node services/executor/test/corpus/read-folder.ts <folder>

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('which folder?')

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const all = replayers()
const seen: string[] = []
onDrift(({ field, value }) => void seen.push(`${field} is ${value}`))
let read = 0
let unasked = 0
const recordings = await recordingsIn(folder)
for (const { name, ...recording } of recordings) {
  seen.length = 0
  const finding = await all
    .replay(recording)
    .catch((error: unknown) => ({ isRead: false, value: String(error) }))
  if (finding.isRead) read++
  else say(`${name} (${recording.venue} ${recording.call}) was not read: ${JSON.stringify(finding.value)}`)
  const call = calledIn(recording)
  if (!callsOf[recording.venue].includes(call)) {
    unasked++
    say(`${name} (${recording.venue} ${call}) is nothing that the product asks for`)
  }
  for (const drift of new Set(seen)) say(`${name} (${recording.venue} ${recording.call}) ${drift}`)
}
await all.stop()
say(
  `${read} of ${recordings.length} recordings were read; ${unasked} are of what the product does not ask for`,
)
