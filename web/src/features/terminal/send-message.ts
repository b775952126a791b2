import { lastingToken } from '../../shared/authorized-fetch.ts'
import { expireSession } from '../../shared/end-session.ts'
import { texts } from '../../shared/texts.ts'

const waitMs = 60_000
// Nothing else can be sent meanwhile, so what never answers must end.
const longestMs = 90_000

/** The outcome of a message that was sent: an answer of any status, or none. */
export type Sent = { durationMs: number } & (
  | { outcome: 'answered'; httpStatus: number; body: unknown }
  | { outcome: 'unanswered'; error: string }
)

/** Posts a message to a webhook as the charting platform would, but waits for its commands to finish. */
export async function sendMessage(webhookUrl: string, message: string): Promise<Sent> {
  // Webhooks are taken on this app's own origin too, and the page's policy lets it speak to no other.
  const url = new URL(new URL(webhookUrl).pathname, location.origin)
  url.searchParams.set('wait', String(waitMs))
  const token = await lastingToken()
  if (token === null) {
    expireSession()
    return { outcome: 'unanswered', error: texts.session.expired.title, durationMs: 0 }
  }
  const sentAt = performance.now()
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ message }),
      signal: AbortSignal.timeout(longestMs),
    })
    const body = readBody(await answer.text())
    return { outcome: 'answered', httpStatus: answer.status, body, durationMs: performance.now() - sentAt }
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : ''
    return { outcome: 'unanswered', error, durationMs: performance.now() - sentAt }
  }
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
