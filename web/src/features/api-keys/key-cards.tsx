import type { KeyView } from '@tripline/proto/http/key'
import { Flex } from 'antd'
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
import type { KeyListProps } from './key-table.tsx'
import { TestReport } from './test-report.tsx'
import { texts } from './texts.ts'
import { useKeyEntry } from './use-key-entry.ts'

/** The keys as cards, where a table has no room; they stay as they are while a dialog opens and closes over them. */
export const KeyCards = memo(function KeyCards({ keys, onOpen }: KeyListProps) {
  return (
    <ul className="key-cards">
      {keys.map((bot) => (
        <li key={bot.id}>
          <KeyCard bot={bot} onOpen={(dialog) => onOpen(dialog, bot)} />
        </li>
      ))}
    </ul>
  )
})

function KeyCard({ bot, onOpen }: { bot: KeyView; onOpen: (dialog: KeyDialog) => void }) {
  const { isOpen, isTesting, toggle, test } = useKeyEntry(bot)
  return (
    <article className="framed key-card">
      <Flex component="header" gap={8} align="center">
        <LabelPart bot={bot} />
        <NetworkPart bot={bot} />
        <span className="panel-space" />
        <TradingPart bot={bot} onOpen={() => onOpen('trading')} />
      </Flex>
      {bot.problem && <ProblemPart bot={bot} />}
      <div>
        <ExchangePart bot={bot} /> · <code>{bot.api_key_preview}</code>
      </div>
      <NotificationsPart bot={bot} />
      <Flex className="small" wrap gap="2px 18px" align="center">
        <span>
          <span className="quiet">{texts.columns.used}</span> <UsedPart bot={bot} />
        </span>
        <span>
          <span className="quiet">{texts.columns.tested}</span>{' '}
          <TestedPart bot={bot} isOpen={isOpen} onToggle={toggle} />
        </span>
      </Flex>
      {isOpen && bot.last_test && <TestReport test={bot.last_test} />}
      <KeyActions bot={bot} isTesting={isTesting} onTest={test} onOpen={onOpen} />
    </article>
  )
}
