import { nanoid } from '@reduxjs/toolkit'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { useState } from 'react'
import { useDispatch } from 'react-redux'
import { useGetWebhookConfigQuery } from '../../shared/client.ts'
import { useToast } from '../../ui/toast.ts'
import { executionNotice } from './execution-notice.ts'
import { recordOf } from './response-record.ts'
import { sendMessage } from './send-message.ts'
import { responseReceived } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useBots } from './use-bots.ts'
import { useMainnetConsent } from './use-mainnet-consent.ts'

/** Sends a message to the person's webhook, one at a time, and keeps what came back. */
export function useExecute(onSend: (message: string) => void) {
  const { data: config } = useGetWebhookConfigQuery()
  const [isBusy, setBusy] = useState(false)
  const dispatch = useDispatch()
  const toast = useToast()
  const bots = useBots()
  const mayTrade = useMainnetConsent()

  async function execute(message: string) {
    if (message.trim() === '') return toast.warning(terminalTexts.empty)
    if (config === undefined || isBusy) return
    if (!(await mayTrade(readAlert(message, 'tripline', bots).named))) return
    setBusy(true)
    onSend(message)
    const timestamp = new Date().toISOString()
    const sent = await sendMessage(config.webhook_url, message)
    dispatch(responseReceived(recordOf(sent, { id: nanoid(), timestamp, request: message })))
    const { level, ...notice } = executionNotice(sent)
    toast[level]({ ...notice, key: 'execution' })
    setBusy(false)
  }
  return { execute, isBusy, isReady: config !== undefined }
}
