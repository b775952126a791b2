import { randomBytes } from 'node:crypto'
import { TokenPair } from '@tripline/proto/http/auth'
import { ExecutionPage, type ExecutionView } from '@tripline/proto/http/execution'
import { KeyView, type UpdateWebhookConfigBody, WebhookConfigView } from '@tripline/proto/http/key'
import { LiveEvent } from '@tripline/proto/live-event'
import { z } from 'zod'
import { callApi } from './call-api.ts'
import { untilAvailable } from './until-available.ts'
import { verifyEmail } from './verify-email.ts'

/** The webhook's answer: the status, and the body as it came. */
export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** A person with an account of the product, acting through its public address only. */
export interface Trader {
  readonly accessToken: string
  readonly webhookUrl: string
  /** Sends an alert, and waits long for its result where the query says nothing else. */
  send(message: string, query?: string): Promise<Answer>
  /** Links one more Paper bot; answers its id. */
  linkPaperBot(label: string, market: 'futures' | 'spot'): Promise<string>
  /** Answers the status of the reset. */
  resetPaperBot(id: string): Promise<number>
  /** Changes settings of the webhook. */
  setWebhook(settings: UpdateWebhookConfigBody): Promise<void>
  /** The newest executions, 20 unless told. */
  executions(limit?: number): Promise<ExecutionView[]>
  /** Opens the live stream; `events` grows as they come. */
  listen(): Promise<{ events: LiveEvent[]; stop: () => void }>
}

/** The addresses of a product; its mails are at its own `/dev/mailbox` unless another address is given. */
interface Stand {
  urls: { web: string }
  mailsUrl?: string
}

/** Registers somebody new, logs in, links a Paper bot called MyBot, and lifts the limit of alerts a minute as far as it goes. */
export async function newTrader({ urls, mailsUrl }: Stand): Promise<Trader> {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const password = randomBytes(12).toString('base64url')
  const person = { first_name: 'Ada', last_name: 'Test', country: 'Italy', username: email.split('@')[0] }
  const send = async (route: string, body: object): Promise<unknown> =>
    await untilAvailable(async () => await callApi(urls.web, route, { body }))
  await send('/api/auth/register', { ...person, email, password })
  await untilAvailable(async () => await verifyEmail(urls.web, { email, password }, mailsUrl))
  const login = await send('/api/auth/login', { email, password })
  const accessToken = TokenPair.parse(login).access_token
  const linkPaperBot: Trader['linkPaperBot'] = async (label, market) => {
    const body = { label, exchange: 'paper', market_type: market }
    // Also of a version that tells less of a key.
    return KeyView.pick({ id: true }).parse(await callApi(urls.web, '/api/keys', { accessToken, body })).id
  }
  await linkPaperBot('MyBot', 'futures')
  const settings = { accessToken, method: 'PUT', body: { max_requests_per_minute: 60 } }
  const config = WebhookConfigView.parse(await callApi(urls.web, '/api/webhook-config', settings))
  const webhookUrl = new URL(new URL(config.webhook_url).pathname, urls.web).href
  return {
    accessToken,
    webhookUrl,
    // A machine that stalls must not turn a result into one that is still awaited.
    send: async (message, query = '?wait=20000') => await post(`${webhookUrl}${query}`, message),
    linkPaperBot,
    resetPaperBot: async (id) => {
      const headers = { authorization: `Bearer ${accessToken}` }
      return (await fetch(new URL(`/api/keys/${id}/reset`, urls.web), { method: 'POST', headers })).status
    },
    setWebhook: async (body) => {
      await callApi(urls.web, '/api/webhook-config', { accessToken, method: 'PUT', body })
    },
    executions: async (limit = 20) => {
      const page = await callApi(urls.web, `/api/webhook-executions?limit=${limit}`, { accessToken })
      return ExecutionPage.parse(page).executions
    },
    listen: async () => await listen(urls.web, accessToken),
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

async function listen(
  webUrl: string,
  accessToken: string,
): Promise<{ events: LiveEvent[]; stop: () => void }> {
  const closing = new AbortController()
  const response = await fetch(new URL('/api/events/stream', webUrl), {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'text/event-stream' },
    signal: closing.signal,
  })
  if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`)
  const events: LiveEvent[] = []
  void collect(response.body, events).catch(() => undefined)
  return { events, stop: () => closing.abort() }
}

async function collect(body: ReadableStream<Uint8Array>, events: LiveEvent[]): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data: ')) events.push(LiveEvent.parse(JSON.parse(line.slice(6))))
    }
  }
}
