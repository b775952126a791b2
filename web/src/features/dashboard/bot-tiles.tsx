import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { BotTile } from './bot-tile.tsx'
import { texts } from './texts.ts'
import { useSummary } from './use-summary.ts'

const { bots: words } = texts

/** Every bot at a glance. */
export function BotTiles() {
  const { summary, failure, retry } = useSummary()
  if (summary === undefined) {
    return failure === undefined ? null : (
      <LoadFailure title={words.loadFailure} error={failure} onRetry={retry} />
    )
  }
  if (summary.keys.length === 0) return null
  const slowestMs = Math.max(
    0,
    ...summary.keys.map(({ execution_time_p95_ms }) => execution_time_p95_ms ?? 0),
  )
  return (
    <Panel title={words.title} count={summary.keys.length}>
      {failure !== undefined && <LoadFailure title={words.old} error={failure} onRetry={retry} />}
      <ul className="bot-tiles">
        {summary.keys.map((figures) => (
          <li key={figures.api_key_id}>
            <BotTile figures={figures} slowestMs={slowestMs} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
