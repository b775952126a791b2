import { untilAvailable } from './until-available.ts'

/** The parts of a call. */
export interface Sent {
  token?: string | undefined
  /** Sent as JSON. */
  body?: object | undefined
  /** Sent as it is. */
  raw?: string
  headers?: Record<string, string>
}

/** The answer; the body is read if it is JSON. */
export type Answered = Awaited<ReturnType<typeof send>>

/** Makes a call like `POST /api/keys`. */
export type Call = (call: string, sent?: Sent) => Promise<Answered>

/** Calls at this address; `onAnswer` receives each answer too. */
export function callerOf(webUrl: string, onAnswer?: (call: string, answered: Answered) => void): Call {
  return async (call, sent = {}) => {
    const answered = await send(webUrl, call, sent)
    onAnswer?.(call, answered)
    return answered
  }
}

/** Makes calls like `callerOf`; what is answered 503 is called again, as the answer asks. */
export function patientCallerOf(...given: Parameters<typeof callerOf>): Call {
  const call = callerOf(...given)
  return async (name, sent) =>
    await untilAvailable(async () => {
      const answered = await call(name, sent)
      const { status } = answered
      if (status === 503) throw new Error(`${name} answered ${answered.text}`, { cause: { status } })
      return answered
    })
}

async function send(webUrl: string, call: string, { token, body, raw, headers }: Sent) {
  const [method = '', path = ''] = call.split(' ')
  const answer = await fetch(new URL(path, webUrl), {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? (raw ?? null) : JSON.stringify(body),
  })
  const text = await answer.text()
  const isJson = /^application\/json(;|$)/.test(answer.headers.get('content-type') ?? '')
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
