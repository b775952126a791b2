import { accessToken } from '../../shared/tokens.ts'

const waitMs = 60_000

/** What became of a message that was sent: an answer of any status, or none. */
export type Sent = { durationMs: number } & (
  | { outcome: 'answered'; httpStatus: number; body: unknown }
  | { outcome: 'unanswered'; error: string }
)

/** Posts a message to a webhook as the charting platform would, but waits for its commands to finish. */
export async function sendMessage(webhookUrl: string, message: string): Promise<Sent> {
  const url = new URL(webhookUrl)
  url.searchParams.set('wait', String(waitMs))
  const sentAt = performance.now()
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ownerHeader(url) },
      body: JSON.stringify({ message }),
    })
    const body = readBody(await answer.text())
    return { outcome: 'answered', httpStatus: answer.status, body, durationMs: performance.now() - sentAt }
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : ''
    return { outcome: 'unanswered', error, durationMs: performance.now() - sentAt }
  }
}

// The access token is for this app's own server only.
function ownerHeader(url: URL): Record<string, string> {
  const token = accessToken()
  return token !== null && url.origin === location.origin ? { authorization: `Bearer ${token}` } : {}
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
