import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import type { Remark } from '@tripline/proto/remark'
import { Flex, Tooltip } from 'antd'
import { Link } from 'react-router-dom'
import { durationText } from '../../shared/format.ts'
import { timeText } from '../../shared/moment-text.ts'
import { numbersInText } from '../../shared/number-text.ts'
import { executionPath } from '../../shared/paths.ts'
import { useZone } from '../../shared/zone.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { type CardRow, cardOf } from './read-answer.ts'
import type { ResponseRecord } from './response-record.ts'
import { speedTexts, terminalTexts } from './texts.ts'
import { useBotLabels, useBots } from './use-bots.ts'

/** One response: how it went at a glance, and everything of it when opened. */
export function ResponseCard({ record }: { record: ResponseRecord }) {
  const { status, title, rows, remarks, backendMs, executionId } = cardOf(record, useBotLabels())
  return (
    <article className={`response-card status-${status}`}>
      <header>
        <StatusMark status={status} />
        <span className="response-title">{title}</span>
        <SpeedBadge totalMs={record.durationMs} backendMs={backendMs} />
        <time dateTime={record.timestamp} title={record.timestamp}>
          {timeText(record.timestamp, useZone())}
        </time>
      </header>
      {rows.length > 0 && (
        <ul className="command-rows">
          {rows.map((row) => (
            <CommandRow key={row.key} row={row} />
          ))}
        </ul>
      )}
      <Remarks remarks={remarks} />
      <Flex align="start">
        <ResponseDetails record={record} />
        {executionId && <HistoryLink executionId={executionId} />}
      </Flex>
    </article>
  )
}

function HistoryLink({ executionId }: { executionId: string }) {
  return (
    <Link
      className="sign response-link"
      to={executionPath(executionId)}
      aria-label={terminalTexts.inHistory}
      title={terminalTexts.inHistory}
    >
      <HistoryOutlined aria-hidden="true" />
    </Link>
  )
}

function CommandRow({ row }: { row: CardRow }) {
  const { name, status, detail, remarks, durationMs, failure, label } = row
  const exchange = useBots().find((bot) => bot.label === label)?.exchange
  return (
    <li className={`command-row status-${status}`}>
      <StatusMark status={status} isBrief />
      <code>{name}</code>
      <span className="command-detail">{detail}</span>
      {durationMs !== null && <span className="quiet duration">{durationText(durationMs)}</span>}
      {failure && <CodeHelp {...failure} exchange={exchange} />}
      <Remarks remarks={remarks} />
    </li>
  )
}

/** Warnings and notes, each with its code; nothing where there are none. */
function Remarks({ remarks }: { remarks: readonly Remark[] }) {
  if (remarks.length === 0) return null
  return (
    <ul className="remarks">
      {remarks.map(({ code, text }) => (
        <li key={`${code} ${text}`} className={code.startsWith('W') ? 'remark-warning' : 'quiet'}>
          <code>{code}</code> {numbersInText(text)} <CodeHelp code={code} message={text} />
        </li>
      ))}
    </ul>
  )
}

function ResponseDetails({ record: { request, response, httpStatus } }: { record: ResponseRecord }) {
  return (
    <details className="fold response-details">
      <summary>{terminalTexts.details}</summary>
      <h3>{terminalTexts.request}</h3>
      <MessageText message={request} />
      <h3>
        {terminalTexts.response} <span className="quiet">HTTP {httpStatus}</span>
        <CopyButton text={JSON.stringify(response, null, 2)} label={terminalTexts.copyResponse} />
      </h3>
      <div className="response-json">
        <JsonTree value={response} openLevels={5} />
      </div>
    </details>
  )
}

interface SpeedBadgeProps {
  totalMs: number
  /** Null where the product did not say. */
  backendMs: number | null
}

/** The duration of a message: a bar of its two parts with their sum, and all three in a tooltip. */
function SpeedBadge({ totalMs, backendMs }: SpeedBadgeProps) {
  const share = backendMs === null || totalMs === 0 ? 0 : Math.min(1, backendMs / totalMs)
  return (
    <Tooltip title={<SpeedParts totalMs={totalMs} backendMs={backendMs} />}>
      <button type="button" className="speed-badge">
        <svg className="speed-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect className="speed-overhead" width="100" height="10" />
          <rect className="speed-backend" width={100 * share} height="10" />
        </svg>
        {durationText(totalMs)}
      </button>
    </Tooltip>
  )
}

function SpeedParts({ totalMs, backendMs }: SpeedBadgeProps) {
  const overheadMs = backendMs === null ? null : Math.max(0, totalMs - backendMs)
  return (
    <dl className="speed-parts">
      <SpeedPart name={speedTexts.backend} look="backend" ms={backendMs} />
      <SpeedPart name={speedTexts.overhead} look="overhead" ms={overheadMs} />
      <SpeedPart name={speedTexts.total} look="total" ms={totalMs} />
    </dl>
  )
}

function SpeedPart({ name, look, ms }: { name: string; look: string; ms: number | null }) {
  return (
    <>
      <dt className={`dot speed-part-${look}`}>{name}</dt>
      <dd>{ms === null ? '–' : durationText(ms)}</dd>
    </>
  )
}
