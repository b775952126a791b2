import type { KeyView } from '@tripline/proto/http/key'
import { memo } from 'react'
import { KeyActions, type KeyDialog } from './key-actions.tsx'
import {
  ExchangePart,
  LabelPart,
  NetworkPart,
  NotificationsPart,
  ProblemPart,
  TestedPart,
  TradingPart,
  UsedPart,
} from './key-parts.tsx'
import { TestReport } from './test-report.tsx'
import { texts } from './texts.ts'
import { useKeyEntry } from './use-key-entry.ts'

export interface KeyListProps {
  keys: readonly KeyView[]
  onOpen: (dialog: KeyDialog, bot: KeyView) => void
}

const columns = Object.entries(texts.columns)

/** The keys as rows of a table; they stay as they are while a dialog opens and closes over them. */
export const KeyTable = memo(function KeyTable({ keys, onOpen }: KeyListProps) {
  return (
    <table className="framed framed-table key-table">
      <thead>
        <tr>
          {columns.map(([key, name]) => (
            <th key={key} scope="col" className={`column-${key}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {keys.map((bot) => (
        <KeyRow key={bot.id} bot={bot} onOpen={(dialog) => onOpen(dialog, bot)} />
      ))}
    </table>
  )
})

function KeyRow({ bot, onOpen }: { bot: KeyView; onOpen: (dialog: KeyDialog) => void }) {
  const { isOpen, isTesting, toggle, test } = useKeyEntry(bot)
  return (
    <tbody>
      <tr>
        <th scope="row" className="column-label">
          <LabelPart bot={bot} />
        </th>
        <td>
          <ExchangePart bot={bot} />
        </td>
        <td className="column-key">
          <code>{bot.api_key_preview}</code>
        </td>
        <td>
          <NetworkPart bot={bot} />
        </td>
        <td>
          <NotificationsPart bot={bot} />
        </td>
        <td>
          <TradingPart bot={bot} onOpen={() => onOpen('trading')} />
        </td>
        <td>
          <UsedPart bot={bot} />
        </td>
        <td>
          <TestedPart bot={bot} isOpen={isOpen} onToggle={toggle} />
        </td>
        <td>
          <KeyActions bot={bot} isTesting={isTesting} onTest={test} onOpen={onOpen} />
        </td>
      </tr>
      {bot.problem && (
        <tr>
          <td colSpan={columns.length} className="key-report">
            <ProblemPart bot={bot} />
          </td>
        </tr>
      )}
      {isOpen && bot.last_test && (
        <tr>
          <td colSpan={columns.length} className="key-report">
            <TestReport test={bot.last_test} />
          </td>
        </tr>
      )}
    </tbody>
  )
}
