import AlignLeftOutlined from '@ant-design/icons/AlignLeftOutlined'
import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import { Button } from 'antd'
import { type RefObject, useDeferredValue, useMemo, useRef } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { type EditorHandle, MessageEditor } from '../../ui/editor/message-editor.tsx'
import { isOnlyBegun, problemsOf, severityOf, withFix } from '../../ui/editor/problems.ts'
import { Panel } from '../../ui/panel.tsx'
import { BotChips } from './bot-chips.tsx'
import { ExecuteButton } from './execute-button.tsx'
import { MessagePreview } from './message-preview.tsx'
import { ProblemList } from './problem-list.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentWebhooks } from './recent-webhooks-panel.tsx'
import { ResetSelectedBot } from './reset-paper-bot.tsx'
import { symbolsFor } from './symbols.ts'
import { emptyTemplate } from './templates.ts'
import { botSelected, messageChanged, selectMessage, selectResponses } from './terminal-slice.ts'
import { previewTexts, terminalTexts } from './texts.ts'
import { useBots } from './use-bots.ts'
import { useCarriedMessage } from './use-carried-message.ts'
import { useExecute } from './use-execute.tsx'
import { usePreview } from './use-preview.ts'
import { type RecentWebhookList, useRecentWebhooks } from './use-recent-webhooks.ts'

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
        <BotChips onSelect={writing.selectBot} />
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

type Writing = ReturnType<typeof useWriting>

/** What can be done with the message besides typing. */
function useWriting(editor: RefObject<EditorHandle | null>) {
  const dispatch = useDispatch()
  const change = (text: string) => void dispatch(messageChanged(text))
  const visit = (offset: number) => editor.current?.focus(offset)
  return {
    change,
    visit,
    replace: (text: string) => {
      change(text)
      visit(text.length)
    },
    selectBot: (label: string, byPointer: boolean) => {
      const { message, bodyOffset } = emptyTemplate(label)
      dispatch(botSelected({ label, message }))
      if (byPointer) visit(bodyOffset)
    },
  }
}

function useVocabulary({ webhooks }: RecentWebhookList) {
  const bots = useBots()
  return useMemo(
    () => ({ bots, symbols: symbolsFor(webhooks.map(({ message }) => message)) }),
    [bots, webhooks],
  )
}

interface ForesightProps {
  message: string
  onVisit: (offset: number) => void
  onChange: (message: string) => void
}

/** What is wrong with the message, or else what it would do. */
function Foresight({ message, onVisit, onChange }: ForesightProps) {
  const bots = useBots()
  const read = useDeferredValue(message)
  const problems = useMemo(() => problemsOf(read, bots), [read, bots])
  const isRefused = problems.some((problem) => severityOf(problem) === 'error')
  const preview = usePreview(read, read.trim() !== '' && !isRefused, useSelector(selectResponses))
  function fix(wanted: NonNullable<Diagnostic['fix']>) {
    onChange(withFix(read, wanted))
    onVisit(wanted.span.offset + wanted.text.length)
  }
  if (isOnlyBegun(read, problems)) {
    return (
      <div className="foresight">
        <p className="quiet">{previewTexts.begun}</p>
      </div>
    )
  }
  return (
    <div className="foresight">
      <ProblemList problems={problems} onVisit={onVisit} onFix={fix} />
      {!isRefused && <MessagePreview preview={preview} />}
    </div>
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
