import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { type WebSocket, WebSocketServer } from 'ws'
import { createTopicSocket, type TopicSocket } from '../../src/venue/socket/topic-socket.ts'

let server: WebSocketServer
let connections: WebSocket[]
let received: string[]
let topics: TopicSocket
beforeEach(async () => {
  connections = []
  received = []
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (connection) => {
    connections.push(connection)
    connection.on('message', (bytes) => received.push(String(bytes)))
  })
  await once(server, 'listening')
  topics = createTopicSocket({
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messageOf: (act, names) => `${act} ${names.join(' ')}`,
    receive: () => undefined,
    onDown: () => undefined,
    name: 'topics',
    log: testLog('topics'),
  })
})
afterEach(async () => {
  topics.stop()
  for (const connection of connections) connection.terminate()
  await new Promise((resolve) => server.close(resolve))
})

test('topics that are wanted at the same time are asked for in one message, and let go in one', async () => {
  for (const topic of ['a', 'b', 'c', 'd']) topics.want(topic)
  await waitFor(() => received.length === 1)
  for (const topic of ['b', 'c']) topics.drop(topic)
  for (const topic of ['e', 'f']) topics.want(topic)
  await waitFor(() => received.length === 3)
  expect(received).toEqual(['subscribe a b c d', 'unsubscribe b c', 'subscribe e f'])
})

test('a topic that is let go and wanted again meanwhile is reported on', async () => {
  for (const topic of ['a', 'b']) topics.want(topic)
  await waitFor(() => received.length === 1)
  topics.drop('b')
  topics.want('b')
  topics.want('c')
  await waitFor(() => received.length === 2)
  expect(received).toEqual(['subscribe a b', 'subscribe c'])
})

test('a new connection begins with all topics that are wanted then', async () => {
  for (const topic of ['a', 'b']) topics.want(topic)
  await waitFor(() => received.length === 1)
  topics.drop('a')
  connections[0]?.terminate()
  await waitFor(() => connections.length === 2 && received.includes('subscribe b'))
  expect(received.filter((message) => message === 'subscribe a b')).toHaveLength(1)
})

test('all that is reported counts as received once the other end answered a ping, until the connection ends', async () => {
  topics.want('a')
  expect(topics.verifiedUntil()).toBeUndefined()
  await waitFor(() => topics.verifiedUntil() !== undefined)
  server.close()
  connections[0]?.terminate()
  await waitFor(() => topics.verifiedUntil() === undefined)
})
