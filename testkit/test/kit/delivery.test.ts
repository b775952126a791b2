import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { watchDelivery } from '@tripline/kit/http/delivery'
import { waitFor } from '../../wait-for.ts'

const request = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'

let server: Server
let port: number
let outcomes: boolean[]
let responses: ServerResponse[]

beforeEach(async () => {
  outcomes = []
  responses = []
  server = createServer((_request, response) => {
    watchDelivery(response, (isReceived) => outcomes.push(isReceived))
    responses.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A caller whose request has come; nothing is read of the answer until that is asked for. */
async function call(asked = request): Promise<{ socket: Socket; response: ServerResponse }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(asked)
  const response = await waitFor(() => responses.at(-1))
  return { socket, response }
}

/** All that comes until the connection ends or the answer is whole. */
async function read(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.resume()
  await waitFor(() => text.endsWith('done'))
  return text
}

test('an answer that goes out as a whole is received', async () => {
  const { socket, response } = await call()
  const { socket: near } = response
  response.end('done')
  await read(socket)
  expect(outcomes).toEqual([true])
  socket.end()
  await waitFor(() => near?.destroyed === true)
  expect(outcomes).toEqual([true])
})

test.each([
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ['closes the connection', (socket: Socket) => socket.destroy()],
])('an answer to a caller that %s before is lost', async (_how, hangUp) => {
  const { socket, response } = await call()
  hangUp(socket)
  await waitFor(() => outcomes.length > 0)
  response.end('done')
  expect(outcomes).toEqual([false])
})

test('an answer that meets a caller which hung up without reading it is lost after all', async () => {
  const { socket, response } = await call()
  response.end('done')
  await waitFor(() => outcomes.length === 1)
  // Unread bytes at the close of a connection make the system reset it.
  socket.destroy()
  await waitFor(() => outcomes.length === 2)
  expect(outcomes).toEqual([true, false])
})

test.each([
  ['kept', request],
  ['closed behind it', request.replace('host', 'connection: close\r\nhost')],
])(
  'an answer written before the end of a caller was read is lost after all, on a connection that is %s',
  async (_name, asked) => {
    const { socket, response } = await call(asked)
    // The end lies in the server's system before the answer is written, and is read behind it.
    socket.destroy()
    response.end('done')
    await waitFor(() => outcomes.length === 2)
    expect(outcomes).toEqual([true, false])
  },
)

test('an answer that was read before its caller closed the connection stays received', async () => {
  const { socket, response } = await call(request.replace('host', 'connection: close\r\nhost'))
  const { socket: near } = response
  response.end('done')
  await read(socket)
  socket.destroy()
  await waitFor(() => near?.destroyed === true)
  expect(outcomes).toEqual([true])
})

test('of several answers on one connection the last one only can be lost behind its end', async () => {
  const first = await call()
  first.response.end('done')
  await read(first.socket)
  first.socket.pause()
  first.socket.write(request)
  const second = await waitFor(() => responses[1])
  let secondOutcomes: boolean[] = []
  watchDelivery(second, (isReceived) => {
    secondOutcomes = [...secondOutcomes, isReceived]
  })
  second.end('done')
  await waitFor(() => secondOutcomes.length === 1)
  first.socket.resetAndDestroy()
  await waitFor(() => secondOutcomes.length === 2)
  expect(secondOutcomes).toEqual([true, false])
  expect(outcomes[0]).toBe(true)
})
