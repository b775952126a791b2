import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { steadyNow } from '@tripline/kit/time/clock'
import { waitFor } from '@tripline/testkit/wait-for'
import { Agent } from 'undici'
import { WithheldError } from '../../src/venue/http/fence.ts'
import { HeldBackError } from '../../src/venue/http/refusal.ts'
import { type FreshRequest, sendFresh } from '../../src/venue/http/send-fresh.ts'
import { DeadlineError } from '../../src/venue/http/with-deadline.ts'

/** More ms than the greatest age of a signature. */
const longMs = 700
/** The time before a connection is tried again, in ms. */
const againMs = 250

interface Received {
  text: string
  response: ServerResponse
}

let server: Server
let received: Received[]
let connected: number
let agent: Agent
/** Waits of the written requests, in ms. */
let queued: number[]
let url: URL
beforeEach(async () => {
  received = []
  connected = 0
  queued = []
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const head = `${request.url} ${request.headers['x-bapi-sign'] ?? ''}`
      received.push({ text: `${head} ${Buffer.concat(chunks).toString()}`, response })
    })
  })
  server.on('connection', () => void connected++)
  await listen(0)
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/order`)
  agent = new Agent({ connections: 1, pipelining: 1 })
})
afterEach(async () => {
  await agent.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function listen(port: number): Promise<void> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
}

/** Has nobody answer at the server's address. */
async function gone(): Promise<void> {
  await new Promise((resolve) => server.close(resolve))
}

/** Signs with how many times it has signed so far. */
function counting() {
  let signed = 0
  return {
    count: () => signed,
    sign: () => {
      signed++
      return `signature-${signed}`
    },
  }
}

type Sending = (sign: () => string, isPermitted: () => boolean, timeoutMs?: number) => Promise<unknown>

function sending(
  method: FreshRequest['method'],
  signedBy: (signature: string, path: string) => ReturnType<FreshRequest['sign']>,
): Sending {
  return async (signature, isPermitted, timeoutMs = 60_000) => {
    const { origin, pathname } = url
    const sign = () => signedBy(signature(), pathname)
    const connections = { dispatcher: agent, onQueued: (ms: number) => void queued.push(ms) }
    return await sendFresh(connections, { method, origin, sign, isPermitted, timeoutMs }, () => undefined)
  }
}

const senders: Record<string, Sending> = {
  'a form that is posted': sending('POST', (signature, path) => ({
    path,
    body: `signature=${signature}`,
    headers: {},
  })),
  'a form that stands in the address': sending('DELETE', (signature, path) => ({
    path: `${path}?signature=${signature}`,
    headers: {},
  })),
  'a body with a signature in its head': sending('POST', (signature, path) => ({
    path,
    body: '{}',
    headers: { 'X-BAPI-SIGN': signature },
  })),
}

const answerTo = ({ response }: Received): void => void response.end('{"retCode":0,"result":{}}')
const nth = async (count: number): Promise<Received> => await waitFor(() => received[count - 1])
const always = (): boolean => true

/** Has the only connection wait for an answer. */
async function occupied(send: Sending): Promise<{ free: () => Promise<void> }> {
  const first = send(() => 'first', always)
  const arrived = await nth(1)
  return {
    free: async () => {
      answerTo(arrived)
      await first
    },
  }
}

async function elapse(ms: number): Promise<void> {
  const until = steadyNow() + ms
  await waitFor(() => steadyNow() > until)
}

describe.each(Object.entries(senders))('%s', (_name, send) => {
  test('that waited for a connection is written with a signature of then', async () => {
    const { free } = await occupied(send)
    const { sign, count } = counting()
    const sending = send(sign, always)
    expect(count()).toBe(1)
    await elapse(longMs)
    await free()
    const { text, ...rest } = await nth(2)
    expect(text).toContain(`signature-${count()}`)
    expect(count()).toBeGreaterThan(1)
    answerTo({ text, ...rest })
    await sending
    expect([received.length, connected]).toEqual([2, 1])
    const [atOnce = 0, waited = 0] = queued
    expect(atOnce).toBeLessThan(waited)
    expect(waited).toBeGreaterThanOrEqual(longMs)
  })

  test('that is not permitted any more once a connection is free is never written', async () => {
    const { free } = await occupied(send)
    let isPermitted = true
    const sending = send(counting().sign, () => isPermitted)
    const outcome = expect(sending).rejects.toThrow(WithheldError)
    isPermitted = false
    await free()
    await outcome
    const next = send(() => 'next', always)
    answerTo(await nth(2))
    await next
    expect(received.map(({ text }) => /first|signature-\d|next/.exec(text)?.[0])).toEqual(['first', 'next'])
    // Withholding costs no connection.
    expect(connected).toBe(1)
  })

  test('that is written, and not answered in time, may have been received', async () => {
    const sending = send(counting().sign, always, 500)
    await nth(1)
    await expect(sending).rejects.toThrow(DeadlineError)
  })

  test('that finds nobody there was not sent', async () => {
    await gone()
    const outcome = send(counting().sign, always, 600)
    await expect(outcome).rejects.toThrow(
      'no connection to the exchange could be made within 600 ms (ECONNREFUSED)',
    )
    await expect(outcome).rejects.toThrow(HeldBackError)
    expect(received).toEqual([])
  })

  test('that finds nobody there is written once, signed anew, when somebody is', async () => {
    await gone()
    const { sign, count } = counting()
    const sending = send(sign, always)
    await waitFor(() => count() > 1)
    await listen(Number(url.port))
    const arrived = await nth(1)
    expect(arrived.text).toContain(`signature-${count()}`)
    answerTo(arrived)
    await sending
    expect(received.length).toBe(1)
    expect(queued.at(-1)).toBeLessThan(againMs)
  })

  test('that finds nobody there is not sent later once it is not permitted any more', async () => {
    await gone()
    const { sign, count } = counting()
    const sending = send(sign, () => false)
    const outcome = expect(sending).rejects.toThrow(WithheldError)
    await waitFor(() => count() > 1)
    await listen(Number(url.port))
    await outcome
    expect(received).toEqual([])
  })

  test('whose connection ends without an answer may have been received', async () => {
    const sending = send(counting().sign, always)
    const outcome = expect(sending).rejects.not.toBeInstanceOf(HeldBackError)
    ;(await nth(1)).response.destroy()
    await outcome
  })

  test('that was given up while it waited is never written', async () => {
    const { free } = await occupied(send)
    await expect(send(counting().sign, always, 1)).rejects.toThrow(HeldBackError)
    await free()
    const next = send(() => 'next', always)
    answerTo(await nth(2))
    await next
    expect(received.map(({ text }) => /first|signature-\d|next/.exec(text)?.[0])).toEqual(['first', 'next'])
  })
})

test('a process whose turns are longer than a signature is fresh sends over a warm connection', async () => {
  const send = senders['a form that is posted'] as Sending
  await (await occupied(send)).free()
  let turns = 6
  const busy = (): void => {
    const until = steadyNow() + longMs
    while (steadyNow() < until);
    if (--turns > 0) setImmediate(busy)
  }
  const sending = send(counting().sign, always)
  busy()
  answerTo(await nth(2))
  await sending
  expect(queued.at(-1)).toBeLessThan(4 * longMs)
  await waitFor(() => turns === 0)
})

test('a question that finds nobody there fails at once with the cause', async () => {
  await gone()
  const ask = sending('GET', (_signature, path) => ({ path, headers: {} }))
  await expect(ask(counting().sign, always)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
