import { type Sending, sendingOf, unreachable } from '../domain/sending.ts'

const longestAnswerBytes = 64 * 1024

export interface TelegramOptions {
  apiUrl: string
  timeoutMs: number
}

/** One message to a chat, in Telegram's HTML. */
export interface Message {
  token: string
  chatId: string
  html: string
}

/**
 * Sends one message. The token is a part of the address, so nothing of the request is ever logged, also in a failure.
 */
export async function postMessage(
  { apiUrl, timeoutMs }: TelegramOptions,
  { token, chatId, html }: Message,
): Promise<Sending> {
  try {
    const answer = await fetch(`${apiUrl}/bot${encodeURIComponent(token)}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        chat_id: chatId,
        text: html,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      }),
      // Another address would get the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { description, retryAfterS } = readRefusal(await readText(answer))
    return sendingOf(answer.status, description, retryAfterS ?? secondsIn(answer.headers.get('retry-after')))
  } catch {
    return { outcome: 'later', error: unreachable, retryAfterMs: undefined }
  }
}

/** The body, as far as one may be. */
async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > longestAnswerBytes) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readRefusal(text: string): { description: string; retryAfterS: number | undefined } {
  try {
    const answer = JSON.parse(text)
    const retryAfter: unknown = answer?.parameters?.retry_after
    return {
      description: typeof answer?.description === 'string' ? answer.description : '',
      retryAfterS: typeof retryAfter === 'number' && retryAfter >= 0 ? retryAfter : undefined,
    }
  } catch {
    return { description: '', retryAfterS: undefined }
  }
}

function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}
