import type { ExecutionView, FlightView } from '@tripline/proto/http/execution'
import { Timeline } from 'antd'
import { durationText } from '../../shared/format.ts'
import { useZone } from '../../shared/zone.ts'
import { StatusMark } from '../../ui/status-mark.tsx'
import { CommandStage } from './command-stage.tsx'
import { StageNotes } from './stage-notes.tsx'
import { type Stage, stagesOf, wholeMs } from './stages.ts'

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
              <span className="quiet stage-detail">{stage.detail}</span>
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
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect x={start} width={Math.max(1, Math.min(share(ms), 100 - start))} height="6" rx="1" />
      </svg>
      <span>{durationText(ms)}</span>
    </span>
  )
}
