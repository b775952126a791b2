import { type JournalEntry, paperControl } from '@tripline/testkit/paper-control'

/** An order request as the paper exchange wrote it down; `receivedNs` is when its bytes were complete. */
export type Entry = Omit<JournalEntry, 'receivedNs'> & { receivedNs: bigint }

/** Takes the journal: what came since it was last taken. Nothing may be on its way meanwhile. */
export async function takeJournal(paperUrl: string): Promise<Entry[]> {
  const entries = await readJournal(paperUrl)
  await paperControl(paperUrl).clearJournal()
  return entries
}

/** Returns the journal's entries since it was last taken. */
export async function readJournal(paperUrl: string): Promise<Entry[]> {
  const entries = await paperControl(paperUrl).journal()
  return entries.map((entry) => ({ ...entry, receivedNs: BigInt(entry.receivedNs) }))
}
