/** The request of a call that touches an order, and its outcome; texts as they were sent. */
export type JournalEntry = Readonly<{
  seq: number
  receivedNs: string
  wire: string
  transport: string
  method: string
  path: string
  op: 'place' | 'cancel' | 'amend'
  apiKey: string | null
  clientOrderId: string | null
  venueOrderId: string | null
  symbol: string | null
  side: string | null
  type: string | null
  quantity: string | null
  price: string | null
  outcome: 'accepted' | 'rejected' | 'dropped'
  code: number | null
}>

/** The record of every order request, in the order in which their outcome was settled. */
export type Journal = Readonly<{
  record: (entry: Omit<JournalEntry, 'seq'>) => void
  list: (apiKey?: string) => JournalEntry[]
  clear: () => void
}>

// Enough for an hour of a busy benchmark; the oldest go first.
const MAX_ENTRIES = 200_000

/** An empty journal; it lives as long as the process. */
export function createJournal(): Journal {
  let entries: JournalEntry[] = []
  let seq = 0
  return {
    record: (entry) => {
      seq += 1
      entries.push({ seq, ...entry })
      if (entries.length > MAX_ENTRIES) entries = entries.slice(-MAX_ENTRIES / 2)
    },
    list: (apiKey) => (apiKey === undefined ? entries : entries.filter((entry) => entry.apiKey === apiKey)),
    clear: () => {
      entries = []
    },
  }
}
