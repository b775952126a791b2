import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { type ConnectionLimits, limitConnections } from './connection-limit.ts'

let server: Server
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

async function start(limits: Partial<ConnectionLimits>): Promise<void> {
  server = createServer((_request, response) => response.end('here'))
  const usual = { perAddress: 2, inAll: 100, trustedProxies: 0, rangeOf: (address: string) => address }
  limitConnections(server, { ...usual, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

/** Whether a connection from this address is served; it stays open then. */
async function isServed(localAddress: string): Promise<boolean> {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: tripline\r\n\r\n')
  return await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
}

test('an address has so many connections, its neighbour others, and closed ones count no more', async () => {
  await start({})
  expect([await isServed('127.0.0.2'), await isServed('127.0.0.2')]).toEqual([true, true])
  expect(await isServed('127.0.0.2')).toBe(false)
  expect(await isServed('127.0.0.3')).toBe(true)
  sockets[0]?.destroy()
  let again = false
  for (const deadline = Date.now() + 10_000; !again && Date.now() < deadline; )
    again = await isServed('127.0.0.2')
  expect(again).toBe(true)
})

test('all addresses together have so many connections', async () => {
  await start({ inAll: 3 })
  for (const host of [2, 3, 4]) expect(await isServed(`127.0.0.${host}`)).toBe(true)
  expect(await isServed('127.0.0.5')).toBe(false)
})

test.each([
  ['named', ['127.0.0.0/24']],
  ['counted', 1],
] as const)('a trusted proxy that is %s has as many as all together', async (_how, trustedProxies) => {
  await start({ trustedProxies: typeof trustedProxies === 'number' ? trustedProxies : [...trustedProxies] })
  for (let count = 0; count < 5; count++) expect(await isServed('127.0.0.2')).toBe(true)
})
