import AlignLeftOutlined from '@ant-design/icons/AlignLeftOutlined'
import { Button } from 'antd'
import { type RefObject, useMemo, useRef } from 'react'
import { useSelector } from 'react-redux'
import { type EditorHandle, MessageEditor } from '../../ui/editor/message-editor.tsx'
import { Panel } from '../../ui/panel.tsx'
import { BotChips } from './bot-chips.tsx'
import { ExecuteButton } from './execute-button.tsx'
import { Foresight } from './foresight.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentWebhooks } from './recent-webhooks-panel.tsx'
import { ResetSelectedBot } from './reset-paper-bot.tsx'
import { symbolsFor } from './symbols.ts'
import { selectMessage } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useKnownBots } from './use-bots.ts'
import { useCarriedMessage } from './use-carried-message.ts'
import { useExecute } from './use-execute.tsx'
import { type RecentWebhookList, useRecentWebhooks } from './use-recent-webhooks.ts'
import { useWriting, type Writing } from './use-writing.ts'

/** The side of the terminal on which messages are written and sent. */
export function Compose() {
  useCarriedMessage()
  const editor = useRef<EditorHandle>(null)
  const recent = useRecentWebhooks()
  const { execute, isBusy, isReady } = useExecute(recent.remember)
  const writing = useWriting(editor)
  return (
    <>
      <Panel
        title={terminalTexts.compose}
        actions={<ComposeActions onFormat={() => editor.current?.format()} />}
      >
        <BotChips onSelect={writing.selectBot} onLinked={writing.linkBot} />
        <Draft recent={recent} editor={editor} writing={writing} onExecute={() => void execute()} />
        <QuickActions onChoose={(text) => writing.visit(text.length)} />
        <ExecuteButton isBusy={isBusy} isReady={isReady} onClick={() => void execute()} />
      </Panel>
      <RecentWebhooks recent={recent} onReuse={writing.replace} />
    </>
  )
}

interface DraftProps {
  recent: RecentWebhookList
  editor: RefObject<EditorHandle | null>
  writing: Writing
  onExecute: () => void
}

/** The message that is being written, with what is to be said of it: all that changes with every letter. */
function Draft({ recent, editor, writing, onExecute }: DraftProps) {
  const message = useSelector(selectMessage)
  return (
    <>
      <MessageEditor
        ref={editor}
        message={message}
        onChange={writing.change}
        vocabulary={useVocabulary(recent)}
        onExecute={onExecute}
        label={terminalTexts.editor}
        hint={terminalTexts.editorHint}
      />
      <Foresight message={message} onVisit={writing.visit} onChange={writing.change} />
    </>
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
      <Button
        type="text"
        size="small"
        icon={<AlignLeftOutlined />}
        title={terminalTexts.formatHint}
        onClick={onFormat}
      >
        {terminalTexts.format}
      </Button>
    </>
  )
}
