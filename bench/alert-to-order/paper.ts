import { z } from 'zod'

const Entry = z.object({
  wire: z.string(),
  op: z.string(),
  clientOrderId: z.string().nullable(),
  outcome: z.string(),
  receivedNs: z.string().transform(BigInt),
})
/** An order request as the paper exchange wrote it down; `receivedNs` is when its bytes were complete. */
export type Entry = z.infer<typeof Entry>

/** Takes the journal: what came since it was last taken. Nothing may be on its way meanwhile. */
export async function takeJournal(paperUrl: string): Promise<Entry[]> {
  const entries = await readJournal(paperUrl)
  await control(paperUrl, 'DELETE', 'journal')
  return entries
}

/** Returns the journal's entries since it was last taken. */
export async function readJournal(paperUrl: string): Promise<Entry[]> {
  return z.array(Entry).parse(await control(paperUrl, 'GET', 'journal'))
}

async function control(paperUrl: string, method: string, path: string): Promise<unknown> {
  const response = await fetch(`${paperUrl}/control/${path}`, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} /control/${path} answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
