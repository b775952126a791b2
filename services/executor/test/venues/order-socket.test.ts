import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import {
  type OrderSocket,
  type OrderSocketTiming,
  openOrderSocket,
} from '../../src/venue/socket/order-socket.ts'

const Request = z.object({ id: z.string(), name: z.string() })

let server: WebSocketServer
let received: z.infer<typeof Request>[]
let connections: WebSocket[]
let sockets: OrderSocket[]
beforeEach(async () => {
  received = []
  connections = []
  sockets = []
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (connection) => {
    connections.push(connection)
    connection.on('message', (bytes) => received.push(Request.parse(JSON.parse(String(bytes)))))
  })
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of sockets) socket.stop()
  for (const connection of connections) connection.terminate()
  await new Promise((resolve) => server.close(resolve))
})

async function open(timing?: Partial<OrderSocketTiming>): Promise<OrderSocket> {
  const socket = begin(timing)
  await waitFor(() => socket.isGood())
  return socket
}

function begin(timing: Partial<OrderSocketTiming> = {}): OrderSocket {
  const socket = openOrderSocket({
    address: async () => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    idOf: (frame) => z.object({ id: z.string() }).safeParse(frame).data?.id,
    isFarewell: (frame) => z.object({ farewell: z.literal(true) }).safeParse(frame).success,
    log: testLog('socket'),
    timing,
  })
  sockets.push(socket)
  return socket
}

function ask(socket: OrderSocket, name: string): Promise<unknown> | undefined {
  const asked = socket.ask((id) => JSON.stringify({ id, name }))
  asked?.catch(() => undefined)
  return asked
}

async function requestNamed(name: string): Promise<z.infer<typeof Request>> {
  return await waitFor(() => received.find((request) => request.name === name))
}

function answer({ id, name }: z.infer<typeof Request>, connection = connections.at(-1)): void {
  connection?.send(JSON.stringify({ id, echo: name }))
}

describe('a socket for orders', () => {
  test('gives each request its own answer, whatever their order', async () => {
    const socket = await open()
    const [first, second] = [ask(socket, 'first'), ask(socket, 'second')]
    answer(await requestNamed('second'))
    answer(await requestNamed('first'))
    expect(await first).toMatchObject({ echo: 'first' })
    expect(await second).toMatchObject({ echo: 'second' })
  })

  test('sends nothing before it is open, nor after it is stopped', async () => {
    const socket = await open()
    const early = openOrderSocket({
      address: async () => 'ws://127.0.0.1:1',
      idOf: () => undefined,
      log: testLog('socket'),
    })
    sockets.push(early)
    expect(ask(early, 'early')).toBeUndefined()
    socket.stop()
    await waitFor(() => !socket.isGood())
    expect(ask(socket, 'late')).toBeUndefined()
    expect(received).toEqual([])
  })

  test('is trusted with nothing more while it keeps an answer back, and again after that', async () => {
    const socket = await open({ trustedMs: 50, answerMs: 600_000 })
    const kept = ask(socket, 'kept')
    await waitFor(() => !socket.isGood())
    expect(ask(socket, 'more')).toBeUndefined()
    answer(await requestNamed('kept'))
    expect(await kept).toMatchObject({ echo: 'kept' })
    expect(socket.isGood()).toBe(true)
    expect(received).toHaveLength(1)
  })

  test('is trusted by a process that stood still, where the answer came in time', async () => {
    const socket = await open({ trustedMs: 20, answerMs: 40 })
    const asked = ask(socket, 'in time')
    answer(await requestNamed('in time'))
    const isGoodThen = new Promise<boolean>((resolve) => setTimeout(() => resolve(socket.isGood()), 40))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    expect(await asked).toMatchObject({ echo: 'in time' })
    expect(await isGoodThen).toBe(true)
    expect(connections).toHaveLength(1)
  })

  test('is made anew after a request that it did not answer, which it does not send again', async () => {
    const socket = await open({ answerMs: 50 })
    await expect(ask(socket, 'lost')).rejects.toThrow('no answer')
    await waitFor(() => connections.length === 2 && socket.isGood())
    expect(received.map(({ name }) => name)).toEqual(['lost'])
  })

  test('leaves pending requests without an answer when it breaks', async () => {
    const socket = await open()
    const asked = ask(socket, 'cut')
    await requestNamed('cut')
    connections[0]?.terminate()
    await expect(asked).rejects.toThrow('the connection ended before the answer')
    await waitFor(() => socket.isGood())
    expect(received).toHaveLength(1)
  })

  test('takes nothing more from a venue that hangs up, and waits for pending requests', async () => {
    const socket = await open()
    const asked = ask(socket, 'last')
    const request = await requestNamed('last')
    connections[0]?.send(JSON.stringify({ farewell: true }))
    await waitFor(() => !socket.isGood())
    expect(ask(socket, 'more')).toBeUndefined()
    answer(request, connections[0])
    expect(await asked).toMatchObject({ echo: 'last' })
    await waitFor(() => connections.length === 2 && socket.isGood())
  })

  test('is made anew when it is old', async () => {
    begin({ lifeMs: 50 })
    await waitFor(() => connections.length >= 2)
  })
})
