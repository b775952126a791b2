import { textTable } from '../table.ts'

/** The number of requests to each endpoint of the paper exchange, by its name. */
export type VenueRequests = ReadonlyMap<string, number>

/** Returns the requests to the paper exchange so far, by its own count. */
export async function readVenueRequests(paperUrl: string): Promise<VenueRequests> {
  const text = await (await fetch(`${paperUrl}/metrics`)).text()
  const samples = text.matchAll(/^tripline_paper_requests_total\{(.*)\} (\d+)$/gm)
  return new Map(Array.from(samples, ([, labels = '', count]) => [nameOf(labels), Number(count)]))
}

/** Returns the requests between two readings. */
export function requestsBetween(before: VenueRequests, after: VenueRequests): VenueRequests {
  return new Map([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]))
}

/** A table of several counts, the endpoints with most requests first. */
export function requestTable(counts: readonly VenueRequests[]): string {
  const names = [...new Set(counts.flatMap((count) => [...count.keys()]))]
  const rows = names
    .map((name) => ({ name, each: counts.map((count) => count.get(name) ?? 0) }))
    .filter(({ each }) => Math.max(...each) > 0)
    .toSorted((one, other) => Math.max(...other.each) - Math.max(...one.each))
  const header = ['requests to the exchange', ...counts.map((_count, index) => `kill ${index + 1}`)]
  return textTable(
    header,
    rows.map(({ name, each }) => [name, ...each.map(String)]),
  )
}

function nameOf(labels: string): string {
  const labelOf = (label: string): string => new RegExp(`${label}="([^"]*)"`).exec(labels)?.[1] ?? ''
  const way = labelOf('transport') === 'ws' ? ' (socket)' : ''
  return `${labelOf('wire')} ${labelOf('endpoint')}${way}`
}
