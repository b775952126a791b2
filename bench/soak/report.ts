import { describeMachine } from '../machine.ts'
import { textTable } from '../table.ts'
import type { Answered } from './senders.ts'
import type { MadeTrouble } from './troubles.ts'
import type { Outcome } from './window.ts'

/** Figures of a run. */
export interface Figures {
  minutes: number
  seed: number
  outcomes: readonly Pick<Outcome, 'alerts' | 'orders' | 'failures' | 'troubles' | 'answered'>[]
  violations: readonly string[]
  /** The use of each process at the end, and its trend, as a table. */
  trends: string
}

/** Returns how often each kind of trouble was made. */
export function countByName(made: readonly Pick<MadeTrouble, 'name'>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of made) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Returns a table of the kinds of trouble, each with the answers to alerts that were sent while it lasted. */
export function troubleTable(made: readonly MadeTrouble[], answered: readonly Answered[]): string {
  const kinds = [...Map.groupBy(made, ({ name }) => name)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const rows = kinds.map(([name, troubles]) => {
    const during = answered.filter(({ at }) => troubles.some(({ from, until }) => at >= from && at < until))
    const count = (isMeant: (status: number) => boolean): string =>
      `${during.filter(({ status }) => isMeant(status)).length}`
    const slowest = Math.max(0, ...during.map(({ tookMs }) => tookMs))
    const longest = Math.max(...troubles.map(({ from, until }) => until - from))
    return [
      name,
      `${troubles.length}`,
      (longest / 1000).toFixed(1),
      count((status) => status >= 200 && status < 300),
      count((status) => status >= 300),
      count((status) => status === 0),
      (slowest / 1000).toFixed(1),
    ]
  })
  return textTable(['trouble', 'times', 'longest, s', 'taken', 'refused', 'no answer', 'slowest, s'], rows)
}

/** Returns the report of a run as a page of Markdown. */
export function faultReport(figures: Figures, date: string): string {
  const { minutes, seed, outcomes, violations, trends } = figures
  const made = outcomes.flatMap(({ troubles }) => troubles)
  const answered = outcomes.flatMap((outcome) => outcome.answered)
  const sum = (key: 'alerts' | 'orders'): string =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0).toLocaleString('en')
  const verdict =
    violations.length === 0 ? 'Everything held.' : violations.map((one) => `- ${one}`).join('\n')
  return `# Report of faults

The last run of [\`npm run soak\`](operations.md#half-an-hour-of-trouble), which made this page: ${date}, ${describeMachine()};
seed ${seed}, ${minutes.toFixed(0)} minutes, ${countByName(made).size} kinds of trouble made ${made.length} times, ${sum('alerts')} alerts, ${sum('orders')} orders.

${verdict}

Failed commands by their code: ${failuresOf(outcomes)}.

## What each trouble did

Answers to alerts that were sent while it lasted; troubles of the exchange, of processes and of servers last at the same time. A
refused alert, and one without an answer, was sent again until it was taken.

\`\`\`text
${troubleTable(made, answered)}
\`\`\`

## What processes held

\`\`\`text
${trends}
\`\`\`
`
}

function failuresOf(outcomes: Figures['outcomes']): string {
  const counts = new Map<string, number>()
  for (const [code, count] of outcomes.flatMap(({ failures }) => [...failures]))
    counts.set(code, (counts.get(code) ?? 0) + count)
  return [...counts].map(([code, count]) => `${code} ${count}`).join(', ') || 'none'
}
