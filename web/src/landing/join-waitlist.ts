import { landingTexts } from './landing-texts.ts'
import type { Notice } from './notice.ts'

const { waitlist } = landingTexts

/** The outcome of an email for the waitlist. */
export interface Joining {
  isJoined: boolean
  notice: Notice
}

/** Returns the fault of an email before anybody is asked. */
export function faultOf(email: string): { title: string; description: string } | undefined {
  if (email === '') return waitlist.empty
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? undefined : waitlist.invalid
}

/** Puts an email on the waitlist; a failure is shown as a notice too, never thrown. */
export async function joinWaitlist(email: string): Promise<Joining> {
  try {
    const answer = await fetch('/api/waitlist', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    return joiningOf(answer.status, await answer.json())
  } catch {
    return failed(undefined)
  }
}

/** Returns the outcome of an answer of the waitlist: 201 is new, 200 was there already. */
export function joiningOf(status: number, body: unknown): Joining {
  if (status === 201) return { isJoined: true, notice: { tone: 'success', ...waitlist.joined } }
  if (status === 200) return { isJoined: true, notice: { tone: 'success', ...waitlist.already } }
  return failed(detailOf(body))
}

function failed(detail: unknown): Joining {
  const title = detail === undefined || detail === '' ? waitlist.failure : textOf(detail)
  return { isJoined: false, notice: { tone: 'error', title } }
}

function detailOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined
}

function textOf(detail: unknown): string {
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}
