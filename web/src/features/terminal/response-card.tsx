import { durationText, utcTimeText } from '../../shared/format.ts'
import { texts } from '../../shared/texts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { type CardRow, cardOf } from './read-answer.ts'
import type { ResponseRecord } from './response-record.ts'
import { SpeedBadge } from './speed-badge.tsx'
import { useBotLabels } from './use-bot-labels.ts'

/** One response: how it went at a glance, and everything of it when opened. */
export function ResponseCard({ record }: { record: ResponseRecord }) {
  const { status, title, rows, backendMs } = cardOf(record, useBotLabels())
  return (
    <article className={`response-card status-${status}`}>
      <header>
        <StatusMark status={status} />
        <span className="response-title">{title}</span>
        <SpeedBadge totalMs={record.durationMs} backendMs={backendMs} />
        <time dateTime={record.timestamp} title={record.timestamp}>
          {utcTimeText(record.timestamp)}
        </time>
      </header>
      {rows.length > 0 && (
        <ul className="command-rows">
          {rows.map((row) => (
            <CommandRow key={row.key} row={row} />
          ))}
        </ul>
      )}
      <details className="response-details">
        <summary>{texts.terminal.details}</summary>
        <h3>{texts.terminal.request}</h3>
        <pre>{record.request}</pre>
        <h3>
          {texts.terminal.response} <span className="quiet">HTTP {record.httpStatus}</span>
          <CopyButton text={jsonText(record.response)} label={texts.terminal.copyResponse} />
        </h3>
        <pre>{jsonText(record.response)}</pre>
      </details>
    </article>
  )
}

function CommandRow({ row: { name, status, detail, durationMs } }: { row: CardRow }) {
  return (
    <li className={`command-row status-${status}`}>
      <StatusMark status={status} isBrief />
      <code>{name}</code>
      <span className="command-detail">{detail}</span>
      {durationMs !== null && <span className="quiet duration">{durationText(durationMs)}</span>}
    </li>
  )
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
