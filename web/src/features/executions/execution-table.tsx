import type { ExecutionView } from '@tripline/proto/http/execution'
import { Fragment, memo } from 'react'
import { durationText } from '../../shared/format.ts'
import { ExecutionDetails } from './execution-details.tsx'
import { BotPart, CommandsPart, ExchangePart, StatusPart, SymbolPart } from './execution-parts.tsx'
import { ExecutionTime } from './execution-time.tsx'
import { ExecutionToggle } from './execution-toggle.tsx'
import { isSelecting } from './is-selecting.ts'
import { texts } from './texts.ts'
import { useLatest } from './use-flight.ts'
import { useDrawnRows } from './use-open-rows.ts'

export interface ExecutionListProps {
  executions: readonly ExecutionView[]
  openIds: ReadonlySet<string>
  onToggle: (id: string) => void
}

const columns = Object.entries(texts.columns)

// antd's Table is 67 kB or more, beyond the limit of every screen.
/** Executions as rows of a table. */
export function ExecutionTable({ executions, openIds, onToggle }: ExecutionListProps) {
  const drawnIds = useDrawnRows(openIds)
  return (
    <table className="framed framed-table execution-table">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{texts.expand}</span>
          </th>
          {columns.map(([key, name]) => (
            <th key={key} scope="col" className={`column-${key}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {executions.map((execution) => (
          <ExecutionRow
            key={execution.id}
            execution={execution}
            isOpen={openIds.has(execution.id)}
            isDrawn={drawnIds.has(execution.id)}
            onToggle={onToggle}
          />
        ))}
      </tbody>
    </table>
  )
}

interface ExecutionRowProps {
  execution: ExecutionView
  isOpen: boolean
  isDrawn: boolean
  onToggle: (id: string) => void
}

const ExecutionRow = memo(function ExecutionRow({
  execution: listed,
  isOpen,
  isDrawn,
  onToggle,
}: ExecutionRowProps) {
  const execution = useLatest(listed, isOpen)
  const { id, created_at, total_ms } = execution
  return (
    <Fragment>
      {/* The button in it does the same for the keyboard. */}
      <tr className={isOpen ? 'is-open' : undefined} onClick={() => isSelecting() || onToggle(id)}>
        <td>
          <ExecutionToggle execution={execution} isOpen={isOpen} onToggle={onToggle} />
        </td>
        <td>
          <ExecutionTime instant={created_at} />
        </td>
        <td className="column-bot">
          <BotPart execution={execution} />
        </td>
        <td className="column-exchange">
          <ExchangePart execution={execution} />
        </td>
        <td>
          <SymbolPart execution={execution} />
        </td>
        <td className="column-commands">
          <CommandsPart execution={execution} />
        </td>
        <td>
          <StatusPart execution={execution} />
        </td>
        <td className="column-total">{total_ms === null ? '–' : durationText(total_ms)}</td>
      </tr>
      {isOpen && (
        <tr className="execution-opened">
          <td colSpan={columns.length + 1} id={`details-${id}`}>
            {isDrawn ? (
              <ExecutionDetails execution={listed} />
            ) : (
              <div className="execution-details is-coming" />
            )}
          </td>
        </tr>
      )}
    </Fragment>
  )
})
