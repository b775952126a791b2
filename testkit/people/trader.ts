import { calls, type UpdateWebhookConfigApiArg } from '@tripline/proto/http/calls'
import { ExecutionPage, type ExecutionView } from '@tripline/proto/http/execution'
import { z } from 'zod'
import { callApi } from './call-api.ts'
import { type LiveStream, openLiveStream } from './live-stream.ts'
import { newPerson, type Person } from './person.ts'

/** The webhook's answer: the status, and the body as it came. */
export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** A person with an account of the product, acting through its public address only. */
export interface Trader extends Person {
  readonly accessToken: string
  readonly webhookUrl: string
  /** Sends an alert, and waits long for its result where the query says nothing else. */
  send(message: string, query?: string): Promise<Answer>
  /** Links one more Paper bot; returns its id. */
  linkPaperBot(label: string, market: 'futures' | 'spot'): Promise<string>
  /** Returns the status of the reset. */
  resetPaperBot(id: string): Promise<number>
  /** Changes settings of the webhook. */
  setWebhook(settings: UpdateWebhookConfigApiArg): Promise<void>
  /** The newest executions, 20 without a limit. */
  executions(limit?: number): Promise<ExecutionView[]>
  /** Opens the live stream; `events` grows as they come. */
  openStream(): Promise<LiveStream>
}

/** The addresses of a product; its mails are at its own `/dev/mailbox` unless another address is given. */
interface Stand {
  urls: { web: string }
  mailsUrl?: string
}

/** Registers somebody new with Paper bots of these names, and lifts the limit of alerts a minute as far as it goes. */
export async function newTrader({ urls, mailsUrl }: Stand, labels = ['MyBot']): Promise<Trader> {
  const person = await newPerson(urls.web, {}, mailsUrl)
  const accessToken = person.tokens.access_token
  const linkPaperBot: Trader['linkPaperBot'] = async (label, market) => {
    const call = calls.createKey({ label, exchange: 'paper', market_type: market })
    return (await callApi(urls.web, call, { accessToken })).id
  }
  for (const label of labels) await linkPaperBot(label, 'futures')
  const setWebhook = async (settings: UpdateWebhookConfigApiArg) =>
    await callApi(urls.web, calls.updateWebhookConfig(settings), { accessToken })
  const config = await setWebhook({ max_requests_per_minute: 60 })
  const webhookUrl = new URL(new URL(config.webhook_url).pathname, urls.web).href
  return {
    ...person,
    accessToken,
    webhookUrl,
    // A machine that stalls must not turn a result into one that is still awaited.
    send: async (message, query = '?wait=20000') => await post(`${webhookUrl}${query}`, message),
    linkPaperBot,
    resetPaperBot: async (id) => {
      const { url, method = 'POST' } = calls.resetKey(id)
      const headers = { authorization: `Bearer ${accessToken}` }
      return (await fetch(new URL(url, urls.web), { method, headers })).status
    },
    setWebhook: async (settings) => void (await setWebhook(settings)),
    executions: async (limit = 20) => {
      const page = await callApi(urls.web, calls.listExecutions({ limit }), { accessToken })
      return ExecutionPage.parse(page).executions
    },
    openStream: async () => await openLiveStream(urls.web, accessToken),
  }
}

async function post(url: string, message: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: message,
  })
  return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) }
}
