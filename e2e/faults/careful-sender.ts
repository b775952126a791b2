import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The end of one attempt: the status of its answer, or that it got none. */
export type Attempted = number | 'no answer'

const resendAfterMs = 5000
const mostAttempts = 4

/** A sender that sends an alert again, 5 s later and up to three times, where it got no answer or a 503. */
export interface CarefulSender {
  /** Returns the outcome of each attempt; each waits so long for its answer. */
  send: (body: string, limitsMs: () => number) => Promise<Attempted[]>
  close: () => void
}

/** Sends to one webhook over a connection that stays open as long as it works. */
export function carefulSender(webhookUrl: string): CarefulSender {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: async (body, limitMs) => {
      const attempts: Attempted[] = []
      while (attempts.length < mostAttempts) {
        const attempted = await attempt(agent, webhookUrl, body, limitMs())
        attempts.push(attempted)
        if (attempted !== 'no answer' && attempted !== 503) break
        await sleep(resendAfterMs)
      }
      return attempts
    },
    close: () => agent.destroy(),
  }
}

/** An answer counts as soon as all of it has been read, and not before. */
async function attempt(agent: Agent, url: string, body: string, limitMs: number): Promise<Attempted> {
  return await new Promise((resolve) => {
    const call = request(url, { method: 'POST', agent }, (answer) => {
      answer.resume()
      answer.on('end', () => finish(answer.complete ? (answer.statusCode ?? 0) : 'no answer'))
      answer.on('error', () => finish('no answer'))
    })
    const finish = (attempted: Attempted): void => {
      clearTimeout(limit)
      resolve(attempted)
    }
    const limit = setTimeout(() => {
      call.destroy()
      finish('no answer')
    }, limitMs)
    call.on('error', () => finish('no answer'))
    call.end(body)
  })
}
