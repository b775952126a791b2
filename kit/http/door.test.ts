import { Agent, type IncomingMessage, request } from 'node:http'
import { afterEach, expect, test } from '@jest/globals'
import { createLog } from '../telemetry/log.ts'
import { openDoor } from './door.ts'
import { buildHttp, type Http, listen } from './http.ts'

let http: Http
const agent = new Agent({ keepAlive: true })
afterEach(async () => {
  agent.destroy()
  await http.close()
})

function get(port: number, path: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request({ agent, port, host: '127.0.0.1', path }, (answer) => resolve(answer.resume()))
    .on('error', reject)
    .end()
  return promise
}

test('a door whose end is announced answers, is ready no more, and keeps no connection', async () => {
  const isReady = (): boolean => !door.isLeaving()
  http = buildHttp({ log: createLog('door', 'fatal'), bodyLimitBytes: 1024, isReady })
  const door = openDoor(http)
  const arrived = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<string>()
  http.get('/slow', async () => {
    arrived.resolve()
    return await answered.promise
  })
  const { port } = await listen(http, '127.0.0.1', 0)
  const before = await get(port, '/readyz')
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive'])
  const slow = get(port, '/slow')
  await arrived.promise
  const announced = door.announceEnd(250)
  const after = await get(port, '/readyz')
  expect([after.statusCode, after.headers.connection]).toEqual([503, 'close'])
  await announced
  http.server.close()
  answered.resolve('done')
  expect((await slow).headers.connection).toBe('close')
  await door.allAnswered(60_000)
})
