import type { ExecutedCommand } from '@tripline/proto/http/execution'
import { JsonTree } from '../../ui/json-tree.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { askedFacts } from './asked-facts.ts'
import { ErrorNote } from './error-note.tsx'
import { type Fact, factsOf } from './result-facts.ts'
import { StageNotes } from './stage-notes.tsx'
import type { StageNote } from './stages.ts'
import { texts } from './texts.ts'

interface CommandStageProps {
  executed: ExecutedCommand
  /** Its result with its orders as they stand now. */
  present: ExecutedCommand['result']
  notes: readonly StageNote[]
  exchange: string | null
}

/** A command's request, the events on its way, and its outcome; first what is seen at once. */
export function CommandStage({ executed, present, notes, exchange }: CommandStageProps) {
  const drawn = useBatches(2)
  const { params, result, error_code, error_message } = executed
  return (
    <div className="command-stage">
      <Facts facts={askedFacts(params)} />
      <Facts facts={factsOf(present)} />
      <StageNotes notes={notes} />
      {(error_code !== null || error_message !== null) && (
        <ErrorNote code={error_code} message={error_message} exchange={exchange} />
      )}
      {result !== null && (
        <details className="raw">
          <summary>{texts.details.response}</summary>
          {drawn > 1 && <JsonTree value={result} openLevels={2} />}
        </details>
      )}
    </div>
  )
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className="facts">
      {facts.map(({ name, value, isWarning }) => (
        <div key={`${name} ${value}`} className={isWarning ? 'fact-warning' : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
