import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'

const Sent = z.object({ chat_id: z.string(), text: z.string(), parse_mode: z.literal('HTML') })

/** One message that arrived in a chat. */
export interface TelegramMessage {
  token: string
  chatId: string
  text: string
}

/** The answer to a token's requests instead of carrying them out. */
export interface TelegramFault {
  status?: number
  description?: string
  retryAfterS?: number
  /** A header of HTTP besides. */
  headers?: Record<string, string>
  /** Take the request and never answer. */
  isSilent?: boolean
  /** The number of requests it holds for; without it, until it is cleared. */
  count?: number
}

/** A stand-in for Telegram's Bot API over HTTP: bots, their chats, and its refusals in its own words. */
export interface TestTelegram {
  readonly url: string
  /** Every message that arrived, in order. */
  readonly messages: readonly TelegramMessage[]
  /** The path of every request, with any outcome. */
  readonly requests: readonly string[]
  /** Makes a bot that may write to these chats. */
  addBot(token: string, ...chatIds: string[]): void
  setFault(token: string, fault: TelegramFault): void
  clearFault(token: string): void
  /** Breaks off every request that is under way. */
  hangUp(): void
  stop(): Promise<void>
}

interface Standing {
  chats: Map<string, Set<string>>
  faults: Map<string, TelegramFault>
  messages: TelegramMessage[]
}

/** Starts a stand-in for Telegram that knows no bot yet. */
export async function telegram(): Promise<TestTelegram> {
  const standing: Standing = { chats: new Map(), faults: new Map(), messages: [] }
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    void answerRequest(standing, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    messages: standing.messages,
    requests,
    addBot: (token, ...chatIds) => void standing.chats.set(token, new Set(chatIds)),
    setFault: (token, fault) => void standing.faults.set(token, { ...fault }),
    clearFault: (token) => void standing.faults.delete(token),
    hangUp: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answerRequest(
  standing: Standing,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, encoded] = /^\/bot([^/]+)\/sendMessage$/.exec(request.url ?? '') ?? []
  const token = decodeURIComponent(encoded ?? '')
  const fault = takeFault(standing, token)
  if (fault?.isSilent === true) return
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { status, body, headers } =
    fault?.status === undefined
      ? carryOut(standing, token, request.method, Buffer.concat(chunks).toString('utf8'))
      : refuse(fault.status, fault.description ?? '', fault)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function takeFault({ faults }: Standing, token: string): TelegramFault | undefined {
  const fault = faults.get(token)
  if (fault?.count === undefined) return fault
  if (fault.count === 0) return undefined
  fault.count--
  return fault
}

interface Reply {
  status: number
  body: object
  headers?: Record<string, string>
}

function refuse(status: number, description: string, more: TelegramFault = {}): Reply {
  const { retryAfterS, headers = {} } = more
  const parameters = retryAfterS === undefined ? {} : { parameters: { retry_after: retryAfterS } }
  return { status, body: { ok: false, error_code: status, description, ...parameters }, headers }
}

function carryOut({ chats, messages }: Standing, token: string, method = '', text = ''): Reply {
  const known = chats.get(token)
  if (known === undefined || method !== 'POST') return refuse(404, 'Not Found')
  const sent = Sent.safeParse(JSON.parse(text))
  if (!sent.success) return refuse(400, 'Bad Request: message text is empty')
  const { chat_id: chatId, text: html } = sent.data
  if (!known.has(chatId)) return refuse(400, 'Bad Request: chat not found')
  const shown = shownText(html)
  if (shown === undefined) return refuse(400, "Bad Request: can't parse entities: Unsupported start tag")
  if (shown.length > 4096) return refuse(400, 'Bad Request: message is too long')
  messages.push({ token, chatId, text: shown })
  return { status: 200, body: { ok: true, result: { message_id: messages.length } } }
}

/** Returns the text that a reader sees of Telegram's HTML, or undefined if it is not well-formed. */
function shownText(html: string): string | undefined {
  const bare = html.replaceAll(/<(b|i|code)>([^<>]*)<\/\1>/g, '$2')
  if (/[<>]/.test(bare) || /&(?!(amp|lt|gt);)/.test(bare)) return undefined
  return bare.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
