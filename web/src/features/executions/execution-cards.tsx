import type { ExecutionView } from '@tripline/proto/http/execution'
import { memo } from 'react'
import { durationText } from '../../shared/format.ts'
import { ExecutionDetails } from './execution-details.tsx'
import { BotPart, CommandsPart, ExchangePart, StatusPart, SymbolPart } from './execution-parts.tsx'
import type { ExecutionListProps } from './execution-table.tsx'
import { ExecutionTime } from './execution-time.tsx'
import { ExecutionToggle } from './execution-toggle.tsx'
import { Filterable } from './filter-link.tsx'
import { isSelecting } from './is-selecting.ts'
import { useLatest } from './use-flight.ts'
import { useDrawnRows } from './use-open-rows.ts'

/** Executions as cards, where a table has no room. */
export function ExecutionCards({ executions, openIds, onToggle }: ExecutionListProps) {
  const drawnIds = useDrawnRows(openIds)
  return (
    <ol className="execution-cards">
      {executions.map((execution) => (
        <li key={execution.id}>
          <ExecutionCard
            execution={execution}
            isOpen={openIds.has(execution.id)}
            isDrawn={drawnIds.has(execution.id)}
            onToggle={onToggle}
          />
        </li>
      ))}
    </ol>
  )
}

interface ExecutionCardProps {
  execution: ExecutionView
  isOpen: boolean
  isDrawn: boolean
  onToggle: (id: string) => void
}

const ExecutionCard = memo(function ExecutionCard({
  execution: listed,
  isOpen,
  isDrawn,
  onToggle,
}: ExecutionCardProps) {
  const execution = useLatest(listed, isOpen)
  const { id, created_at, exchange, overall_status, total_ms } = execution
  return (
    <article className={`framed execution-card status-${overall_status}`}>
      {/* The button in it does the same for the keyboard. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
      <div className="execution-card-face" onClick={() => isSelecting() || onToggle(id)}>
        <Filterable value={false}>
          <header>
            <ExecutionToggle execution={execution} isOpen={isOpen} onToggle={onToggle} />
            <BotPart execution={execution} />
            <SymbolPart execution={execution} />
            <StatusPart execution={execution} />
          </header>
          <p className="execution-card-commands">
            <CommandsPart execution={execution} />
          </p>
          <p className="execution-card-foot quiet small">
            <ExecutionTime instant={created_at} />
            {exchange !== null && <ExchangePart execution={execution} />}
            {total_ms !== null && <span>{durationText(total_ms)}</span>}
          </p>
        </Filterable>
      </div>
      {isOpen && (
        <div id={`details-${id}`}>
          {isDrawn ? (
            <ExecutionDetails execution={listed} />
          ) : (
            <div className="execution-details is-coming" />
          )}
        </div>
      )}
    </article>
  )
})
