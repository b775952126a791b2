import { useRef } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { texts } from '../../shared/texts.ts'
import { Panel } from '../../ui/panel.tsx'
import { BotChips } from './bot-chips.tsx'
import { ExecuteButton } from './execute-button.tsx'
import { type EditorHandle, MessageEditor } from './message-editor.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentWebhooks } from './recent-webhooks-panel.tsx'
import { emptyTemplate } from './templates.ts'
import { botSelected, messageChanged, selectMessage } from './terminal-slice.ts'
import { useExecute } from './use-execute.ts'
import { useRecentWebhooks } from './use-recent-webhooks.ts'

/** The side of the terminal on which messages are written and sent. */
export function Compose() {
  const message = useSelector(selectMessage)
  const dispatch = useDispatch()
  const editor = useRef<EditorHandle>(null)
  const { webhooks, remember } = useRecentWebhooks()
  const { execute, isBusy, isReady } = useExecute(remember)

  function write(text: string) {
    dispatch(messageChanged(text))
    editor.current?.focus(text.length)
  }
  function selectBot(label: string, byPointer: boolean) {
    const { message: template, bodyOffset } = emptyTemplate(label)
    dispatch(botSelected({ label, message: template }))
    if (byPointer) editor.current?.focus(bodyOffset)
  }
  return (
    <>
      <Panel title={texts.terminal.compose}>
        <BotChips onSelect={selectBot} />
        <MessageEditor ref={editor} onExecute={() => void execute(message)} />
        <QuickActions onChoose={write} />
        <ExecuteButton isBusy={isBusy} isReady={isReady} onClick={() => void execute(message)} />
      </Panel>
      <RecentWebhooks webhooks={webhooks} onReuse={write} />
    </>
  )
}
