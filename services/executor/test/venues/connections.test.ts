import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { steadyNow } from '@tripline/kit/time/clock'
import { waitFor } from '@tripline/testkit/wait-for'
import { openConnections, type VenueConnections } from '../../src/venue/connections.ts'
import { sendFresh } from '../../src/venue/http/send-fresh.ts'

const delayMs = 100

let server: Server
let connections: VenueConnections
let open: ServerResponse[]
/** Waits of the written requests, in ms. */
let waits: number[]
beforeEach(async () => {
  open = []
  waits = []
  server = createServer((_request, response) => void open.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  connections = openConnections((ms) => void waits.push(ms))
})
afterEach(async () => {
  await connections.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function send(): Promise<unknown> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sign = () => ({ path: '/', headers: {} })
  const request = { method: 'GET', origin, sign, isPermitted: () => true, timeoutMs: 60_000 } as const
  return await sendFresh(connections, request, () => undefined)
}

test('a connection that is slow to be made is no queue', async () => {
  const sent = send()
  const until = steadyNow() + delayMs
  while (steadyNow() < until);
  await waitFor(() => open.length === 1)
  open[0]?.end()
  await sent
  expect(waits).toEqual([0])
})

test('requests wait where all connections that may be open are', async () => {
  const sent = Array.from({ length: 65 }, send)
  await waitFor(() => open.length === 64)
  await sleep(delayMs)
  expect(open.length).toBe(64)
  open[0]?.end()
  await waitFor(() => open.length === 65)
  for (const response of open.slice(1)) response.end()
  await Promise.all(sent)
  expect(waits.length).toBe(65)
  expect(waits.at(-1)).toBeGreaterThanOrEqual(delayMs)
})
