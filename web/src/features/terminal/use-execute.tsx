import { nanoid } from '@reduxjs/toolkit'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { Modal } from 'antd'
import { useRef } from 'react'
import { useDispatch, useSelector, useStore } from 'react-redux'
import { useGetWebhookConfigQuery } from '../../shared/client.ts'
import { liveEventsSoFar } from '../../shared/live/use-live.ts'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { useToast } from '../../ui/toast.ts'
import { endsIn } from './execution-ends.ts'
import { executionNotice } from './execution-notice.ts'
import { recordOf } from './response-record.ts'
import { sendAlone, type WithTerminal } from './send-alone.ts'
import { sendMessage } from './send-message.ts'
import {
  executionsEnded,
  mainnetAllowed,
  responseReceived,
  selectAsksForMainnet,
  selectIsSending,
  selectMessage,
} from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useBots } from './use-bots.ts'

/** Sends the message of the editor to the person's webhook, one at a time, and keeps what came back. */
export function useExecute(onSend: (message: string) => void) {
  const { data: config, isLoading, refetch } = useGetWebhookConfigQuery()
  const isSending = useSelector(selectIsSending)
  const store = useStore<WithTerminal>()
  const toast = useToast()
  const bots = useBots()
  const { mayTrade, question } = useMainnetConsent()
  const isAsking = useRef(false)

  async function send(message: string, webhookUrl: string) {
    onSend(message)
    const timestamp = new Date().toISOString()
    const sent = await sendMessage(webhookUrl, message)
    store.dispatch(responseReceived(recordOf(sent, { id: nanoid(), timestamp, request: message })))
    // Its executions may have ended before the answer came that names them.
    store.dispatch(executionsEnded(endsIn(liveEventsSoFar())))
    const { level, code, ...notice } = executionNotice(sent)
    const help = code && <CodeHelp key={code} code={code} message={notice.description ?? null} />
    toast[level]({ ...notice, key: 'execution', actions: help })
  }
  async function isAllowed(message: string): Promise<boolean> {
    if (isAsking.current) return false
    isAsking.current = true
    try {
      return await mayTrade(readAlert(message, 'tripline', bots).named)
    } finally {
      isAsking.current = false
    }
  }
  function missUrl() {
    toast.warning({ title: terminalTexts.notReady, key: 'execution' })
    if (!isLoading) void refetch()
  }
  async function execute() {
    // The editor's text now, and at once.
    const message = selectMessage(store.getState())
    if (message.trim() === '') return toast.warning(terminalTexts.empty)
    if (config === undefined) return missUrl()
    if (await isAllowed(message)) await sendAlone(store, () => send(message, config.webhook_url))
  }
  return { execute, question, isBusy: isSending || isLoading, isReady: config !== undefined }
}

/** Asks, once per session, before a Quick Action trades with real money; the question is to be drawn. */
function useMainnetConsent() {
  const asks = useSelector(selectAsksForMainnet)
  const bots = useBots()
  const dispatch = useDispatch()
  const [modal, question] = Modal.useModal()
  async function mayTrade(named: readonly string[]) {
    const real = bots.filter(({ label, network }) => network === 'mainnet' && named.includes(label))
    if (!asks || real.length === 0) return true
    const isAllowed = await modal.confirm({
      title: terminalTexts.mainnet.title,
      content: terminalTexts.mainnet.note(real.map(({ label }) => label).join(', ')),
      okText: terminalTexts.execute,
      cancelText: terminalTexts.reconsider,
      okButtonProps: { danger: true },
    })
    if (isAllowed) dispatch(mainnetAllowed())
    return isAllowed
  }
  return { mayTrade, question }
}
