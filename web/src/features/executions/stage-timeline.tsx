import type { ExecutedCommand, ExecutionView, FlightView } from '@tripline/proto/http/execution'
import { Timeline } from 'antd'
import { durationText } from '../../shared/format.ts'
import { useZone } from '../../shared/zone.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { askedFacts } from './asked-facts.ts'
import { ErrorNote } from './error-note.tsx'
import { type Fact, factsOf } from './result-facts.ts'
import { type Stage, type StageNote, stagesOf, wholeMs } from './stages.ts'
import { texts } from './texts.ts'

interface StageTimelineProps {
  execution: ExecutionView
  flight: FlightView | undefined
}

/** The way of an execution, stage by stage; each command with its place in the whole time. */
export function StageTimeline({ execution, flight }: StageTimelineProps) {
  const whole = wholeMs(execution, flight)
  const zone = useZone()
  return (
    <Timeline
      items={stagesOf(execution, flight, zone).map((stage) => ({
        key: stage.key,
        className: `status-${stage.status}`,
        icon: <StatusMark status={stage.status} isBrief />,
        content: (
          <>
            <p className="stage-head">
              {stage.command ? <code>{stage.name}</code> : <strong>{stage.name}</strong>}
              <span className="quiet small stage-detail">{stage.detail}</span>
              <StageBar stage={stage} wholeMs={whole} />
              <span className="quiet stage-time">
                {stage.afterMs === null ? '' : `+${durationText(stage.afterMs)}`}
              </span>
            </p>
            {stage.command ? (
              <CommandStage
                executed={stage.command.executed}
                present={stage.command.present}
                notes={stage.notes}
                exchange={execution.exchange}
              />
            ) : (
              <StageNotes notes={stage.notes} />
            )}
          </>
        ),
      }))}
    />
  )
}

/** When a command ran, as a part of the whole time. */
function StageBar({ stage: { command, afterMs }, wholeMs: whole }: { stage: Stage; wholeMs: number }) {
  const ms = command?.executed.execution_time_ms
  if (ms === null || ms === undefined || command?.executed.status === 'skipped') return null
  const share = (part: number) => (whole > 0 ? Math.min(100, (part / whole) * 100) : 0)
  const start = share(afterMs ?? 0)
  return (
    <span className="stage-bar">
      <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect x={start} width={Math.max(1, Math.min(share(ms), 100 - start))} height="6" rx="1" />
      </svg>
      <span>{durationText(ms)}</span>
    </span>
  )
}

interface CommandStageProps {
  executed: ExecutedCommand
  /** Its result with its orders as they stand now. */
  present: ExecutedCommand['result']
  notes: readonly StageNote[]
  exchange: string | null
}

/** A command's request, the events on its way, and its outcome; first what is seen at once. */
function CommandStage({ executed, present, notes, exchange }: CommandStageProps) {
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
        <details className="fold">
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

/** The events within a stage and their times; nothing if there are none. */
function StageNotes({ notes }: { notes: readonly StageNote[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="stage-notes">
      {notes.map(({ afterMs, text }) => (
        <li key={`${afterMs}-${text}`}>
          <span className="quiet">+{durationText(afterMs)}</span> {text}
        </li>
      ))}
    </ul>
  )
}
