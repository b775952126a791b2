import { nanoid } from '@reduxjs/toolkit'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { useRef, useState } from 'react'
import { useStore } from 'react-redux'
import { useGetWebhookConfigQuery } from '../../shared/client.ts'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { useToast } from '../../ui/toast.ts'
import { executionNotice } from './execution-notice.ts'
import { recordOf } from './response-record.ts'
import { sendMessage } from './send-message.ts'
import { responseReceived, selectMessage } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useBots } from './use-bots.ts'
import { useMainnetConsent } from './use-mainnet-consent.ts'

/** Sends the message of the editor to the person's webhook, one at a time, and keeps what came back. */
export function useExecute(onSend: (message: string) => void) {
  const { data: config } = useGetWebhookConfigQuery()
  const [isBusy, setBusy] = useState(false)
  const isSending = useRef(false)
  const store = useStore<Parameters<typeof selectMessage>[0]>()
  const toast = useToast()
  const bots = useBots()
  const mayTrade = useMainnetConsent()

  async function send(message: string, webhookUrl: string) {
    if (!(await mayTrade(readAlert(message, 'tripline', bots).named))) return
    setBusy(true)
    onSend(message)
    const timestamp = new Date().toISOString()
    const sent = await sendMessage(webhookUrl, message)
    store.dispatch(responseReceived(recordOf(sent, { id: nanoid(), timestamp, request: message })))
    const { level, code, ...notice } = executionNotice(sent)
    const help = code && <CodeHelp key={code} code={code} message={notice.description ?? null} />
    toast[level]({ ...notice, key: 'execution', actions: help })
  }
  async function execute() {
    // What is in the editor now, and at once: a second press must not send it twice.
    const message = selectMessage(store.getState())
    if (message.trim() === '') return toast.warning(terminalTexts.empty)
    if (config === undefined || isSending.current) return
    isSending.current = true
    await send(message, config.webhook_url).finally(() => {
      isSending.current = false
      setBusy(false)
    })
  }
  return { execute, isBusy, isReady: config !== undefined }
}
