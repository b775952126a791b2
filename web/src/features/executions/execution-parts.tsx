import type { ExecutionView } from '@tripline/proto/http/execution'
import { Fragment } from 'react'
import { exchangeName } from '../../shared/exchange-name.ts'
import { isNumberedCode } from '../../shared/is-numbered-code.ts'
import { numbersInText } from '../../shared/number-text.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import type { outcomeNames } from './execution-filter.ts'
import { FilterLink } from './filter-link.tsx'
import { isLate, isRefused, outcomeWords, unknownBotWords } from './outcome-words.ts'
import { texts } from './texts.ts'

// Table and cards show the same parts.

/** The bot of an execution, or why none is known. */
export function BotPart({ execution }: { execution: ExecutionView }) {
  const { api_key_label: label } = execution
  if (label === null) return <span className="quiet">{unknownBotWords(execution)}</span>
  return (
    <FilterLink name="api_key_label" value={label}>
      {label}
    </FilterLink>
  )
}

/** The exchange of an execution, by its name. */
export function ExchangePart({ execution: { exchange } }: { execution: ExecutionView }) {
  if (exchange === null) return <span className="quiet">–</span>
  return (
    <FilterLink name="exchange" value={exchange}>
      {exchangeName(exchange)}
    </FilterLink>
  )
}

/** The symbol of an execution. */
export function SymbolPart({ execution: { symbol } }: { execution: ExecutionView }) {
  if (symbol === null) return null
  return (
    <FilterLink name="symbol" value={symbol}>
      <code>{symbol}</code>
    </FilterLink>
  )
}

/** The status of an execution. */
export function StatusPart({ execution: { overall_status: status } }: { execution: ExecutionView }) {
  return (
    <FilterLink name="overall_status" value={status}>
      <StatusChip status={status} />
    </FilterLink>
  )
}

/** The commands of an execution, and below them what they came to; of a refused one, why. */
export function CommandsPart({ execution }: { execution: ExecutionView }) {
  return (
    <>
      <span className="execution-commands">
        <CommandNames execution={execution} />
      </span>
      <OutcomeLine execution={execution} />
    </>
  )
}

/** The acts and failures, behind the other outcomes of the alert. */
function OutcomeLine({ execution }: { execution: ExecutionView }) {
  const words = outcomeWords(execution)
  const refused = isRefused(execution)
  const late = isLate(execution)
  if (words.length === 0 && !refused && !late) return null
  return (
    <span className="execution-outcome" title={words.map(({ text }) => text).join(' · ')}>
      {refused && <OutcomeMark outcome="refused" />}
      {late && <OutcomeMark outcome="late" />}
      {words.map(({ index, text, isFailure }, position) => (
        <Fragment key={index}>
          {position > 0 && ' · '}
          <span className={isFailure ? 'execution-refusal' : undefined}>{text}</span>
        </Fragment>
      ))}
    </span>
  )
}

function OutcomeMark({ outcome }: { outcome: (typeof outcomeNames)[number] }) {
  return (
    <>
      <FilterLink name="outcome" value={outcome}>
        <span className="outcome-mark">{texts.outcomes[outcome]}</span>
      </FilterLink>{' '}
    </>
  )
}

/** The commands of an execution joined by arrows; of a refused one, why. */
function CommandNames({ execution }: { execution: ExecutionView }) {
  const { commands_executed: commands, error_code, error_message } = execution
  if (commands.length === 0 && error_code !== null) {
    return <span className="execution-refusal">{withCode(error_code, error_message)}</span>
  }
  if (commands.length === 0) return <span className="quiet">{texts.noCommands}</span>
  return (
    <code>
      {commands.map(({ type, status }, place) => (
        // Commands keep their places.
        // biome-ignore lint/suspicious/noArrayIndexKey: only the place distinguishes two equal ones
        <Fragment key={place}>
          {place > 0 && ' → '}
          <span className={`command-${status}`}>{type}</span>
        </Fragment>
      ))}
    </code>
  )
}

function withCode(code: string, message: string | null): string {
  if (message === null) return code
  const isSaid = message.startsWith(code) || !isNumberedCode(code)
  return numbersInText(isSaid ? message : `${code} ${message}`)
}
