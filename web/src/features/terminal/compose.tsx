import AlignLeftOutlined from '@ant-design/icons/AlignLeftOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import { Button, Flex } from 'antd'
import { type RefObject, useMemo, useRef } from 'react'
import { useSelector } from 'react-redux'
import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { PositionsPanel } from '../../ui/accounts/positions-panel.tsx'
import { type EditorHandle, MessageEditor } from '../../ui/editor/message-editor.tsx'
import { Panel } from '../../ui/panel.tsx'
import { BotChips } from './bot-chips.tsx'
import { Foresight } from './foresight.tsx'
import { ResetSelectedBot } from './paper-bots.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentWebhooks } from './recent-webhooks-panel.tsx'
import { symbolsFor } from './symbols.ts'
import { selectLabel, selectMessage } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useKnownBots } from './use-bots.ts'

import { useExecute } from './use-execute.tsx'
import { type RecentWebhookList, useRecentWebhooks } from './use-recent-webhooks.ts'
import { useCarriedMessage, useWriting, useWritingAtOnce, type Writing } from './use-writing.ts'

/** The side of the terminal on which messages are written and sent. */
export function Compose() {
  useCarriedMessage()
  const editor = useRef<EditorHandle>(null)
  const recent = useRecentWebhooks()
  const { execute, question, isBusy, isReady } = useExecute(recent.remember)
  const writing = useWriting(editor)
  useWritingAtOnce(writing.visit)
  return (
    <>
      <Panel
        title={terminalTexts.compose}
        actions={<ComposeActions onFormat={() => editor.current?.format()} />}
      >
        {/* All that is pressed stands above the preview, which grows and shrinks. */}
        <BotChips onSelect={writing.selectBot} onAdded={writing.addBot} />
        <QuickActions onChoose={(text) => writing.visit(text.length)} />
        <Draft recent={recent} editor={editor} writing={writing} onExecute={() => void execute()} />
        <ExecuteButton isBusy={isBusy} isReady={isReady} onClick={() => void execute()} />
        <Foresight onVisit={writing.visit} onChange={writing.change} />
      </Panel>
      <PositionsPanel />
      <RecentWebhooks recent={recent} onReuse={writing.replace} />
      {question}
    </>
  )
}

interface DraftProps {
  recent: RecentWebhookList
  editor: RefObject<EditorHandle | null>
  writing: Writing
  onExecute: () => void
}

/** The message that is being written. */
function Draft({ recent, editor, writing, onExecute }: DraftProps) {
  const message = useSelector(selectMessage)
  return (
    <MessageEditor
      ref={editor}
      message={message}
      onChange={writing.change}
      vocabulary={useVocabulary(recent)}
      onExecute={onExecute}
      label={terminalTexts.editor}
      hint={terminalTexts.editorHint(useSelector(selectLabel) ?? terminalTexts.sampleBot)}
    />
  )
}

function useVocabulary({ webhooks }: RecentWebhookList) {
  const bots = useKnownBots()
  return useMemo(
    () => ({ bots, symbols: symbolsFor(webhooks.map(({ message }) => message)) }),
    [bots, webhooks],
  )
}

function ComposeActions({ onFormat }: { onFormat: () => void }) {
  return (
    <>
      <ResetSelectedBot />
      <Link className="compose-manual small" to={paths.manual}>
        {texts.shell.manual}
      </Link>
      <Button
        type="text"
        size="small"
        icon={<AlignLeftOutlined aria-hidden="true" />}
        title={terminalTexts.formatHint}
        onClick={onFormat}
      >
        {terminalTexts.format}
      </Button>
    </>
  )
}

interface ExecuteButtonProps {
  /** A message is on its way, or the webhook's address is being asked for. */
  isBusy: boolean
  /** False until the webhook's address is known. */
  isReady: boolean
  onClick: () => void
}

/** Sends the message. */
function ExecuteButton({ isBusy, isReady, onClick }: ExecuteButtonProps) {
  return (
    <Flex className="execute" gap={12} align="center">
      <Button
        type="primary"
        size="large"
        icon={<SendOutlined aria-hidden="true" />}
        // Not disabled while it waits, or Tab would go past it.
        loading={isBusy}
        title={isReady ? undefined : terminalTexts.notReady}
        onClick={onClick}
      >
        {terminalTexts.execute}
      </Button>
      <span className="quiet execute-shortcut">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd>
      </span>
    </Flex>
  )
}
