import type { ExecutionSumsView } from '@tripline/proto/http/execution'
import { useGetExecutionSumsQuery } from '../../shared/client.ts'
import { durationText } from '../../shared/format.ts'
import { coinText } from '../../shared/number-text.ts'
import { percentText } from '../../shared/percent-text.ts'
import { successText, triedOf } from '../../shared/success-text.ts'
import { useZone } from '../../shared/zone.ts'
import { filterQuery } from './execution-query.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

// They read everything that the filters choose, which is more than a page.
const askEveryMs = 15_000

/** The sums of the listed executions, on all pages; its line is there before they are. */
export function Sums() {
  const { filter } = useFilters()
  const zone = useZone()
  const { data, isError } = useGetExecutionSumsQuery(filterQuery(filter, { nowMs: Date.now(), zone }), {
    pollingInterval: askEveryMs,
    skipPollingIfUnfocused: true,
  })
  return (
    // It scrolls where there is no room, by the keyboard too.
    <dl className="sums small" aria-label={texts.sums.label} tabIndex={0}>
      {isError && data === undefined && <dd className="quiet">{texts.sums.failure}</dd>}
      {data && sumsOf(data).map((sum) => <Sum key={sum[0]} sum={sum} />)}
    </dl>
  )
}

function Sum({ sum: [name, value, title] }: { sum: Figure }) {
  return (
    <div title={title}>
      <dt className="quiet">{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** A sum under its name, and what is to be said of how it is made. */
type Figure = [name: string, value: string, title?: string]

function sumsOf(sums: ExecutionSumsView): Figure[] {
  const { counts, refused, success_rate: rate, filled, fees } = sums
  const { execution_time_p50_ms: median, execution_time_p95_ms: p95 } = sums
  const words = texts.sums
  const ends = { ...counts, refused }
  const figures: [string, string | null, string?][] = [
    ['success', String(counts.success)],
    ['partial', counts.partial > 0 ? String(counts.partial) : null],
    ['failed', words.failed(counts.failed, refused)],
    ['running', counts.running > 0 ? String(counts.running) : null],
    [words.rate, rate === null ? null : words.rateOf(percentText(rate), triedOf(ends)), successText(ends)],
    [words.median, median === null ? null : durationText(median)],
    [words.p95, p95 === null ? null : durationText(p95)],
    [words.filled, amountsText(filled)],
    [words.fees, amountsText(fees)],
  ]
  return figures.filter((one): one is Figure => one[1] !== null)
}

function amountsText(amounts: ExecutionSumsView['fees']): string | null {
  if (amounts.length === 0) return null
  return amounts.map(({ coin, amount }) => coinText(amount, coin)).join(', ')
}
