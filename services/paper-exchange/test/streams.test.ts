import { connect as connectTcp, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { FaultAction } from '../src/domain/fault.ts'
import { connect, type Echo, refusedWith, startEcho } from './socket-rig.ts'
import { until } from './until.ts'

let echo: Echo

beforeAll(async () => {
  echo = await startEcho()
})

afterAll(async () => await echo.stop())

describe('a socket', () => {
  test('is opened on a path that a venue serves and answers in order', async () => {
    const { socket, texts } = await connect(`${echo.url}/echo?listenKey=x`)
    for (const text of ['one', 'two', 'three']) socket.send(text)
    await until(async () => texts.length === 3)
    expect(texts).toEqual(['one', 'two', 'three'])
    socket.terminate()
  })

  test('is refused with 404 elsewhere', async () => {
    for (const path of ['/', '/nobody', '/echo/more', '/control/accounts'])
      expect(await refusedWith(`${echo.url}${path}`)).toBe(404)
  })

  test('that was refused is let go, though its client keeps its side open', async () => {
    const own = await startEcho()
    const client = connectTcp({ port: Number(new URL(own.url).port), host: '127.0.0.1', allowHalfOpen: true })
    const words = ['GET /nobody HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', '', '']
    client.write(words.join('\r\n'))
    let said = ''
    client.on('data', (bytes) => {
      said += bytes
    })
    await until(async () => said.includes('404') && (await own.connections()) === 0)
    client.destroy()
    await own.stop()
  })

  test('sends the messages of one turn in one write', async () => {
    const { socket, texts } = await connect(`${echo.url}/echo`)
    const writes = jest.spyOn(Socket.prototype, '_writev')
    for (const text of ['one', 'two', 'three']) echo.peers.at(-1)?.send(text)
    await until(async () => texts.length === 3)
    expect([texts, writes.mock.calls.length]).toEqual([['one', 'two', 'three'], 1])
    writes.mockRestore()
    socket.terminate()
  })

  test('is refused with 500 where it cannot be opened, and nothing else suffers', async () => {
    expect(await refusedWith(`${echo.url}/broken`)).toBe(500)
    const { socket, texts } = await connect(`${echo.url}/echo`)
    socket.send('still here')
    await until(async () => texts.length === 1)
    socket.terminate()
  })

  test('takes text frames only, up to a size', async () => {
    const binary = await connect(`${echo.url}/echo`)
    binary.socket.send(Buffer.from([1, 2, 3]))
    expect(await binary.ended).toMatchObject({ code: 1003 })
    const large = await connect(`${echo.url}/echo`)
    large.socket.send('x'.repeat(65_537))
    expect(await large.ended).toMatchObject({ code: 1009 })
  })

  test('is closed when its session fails, and only that one', async () => {
    const [failing, other] = [await connect(`${echo.url}/echo`), await connect(`${echo.url}/echo`)]
    failing.socket.send('fail')
    expect(await failing.ended).toMatchObject({ code: 1011 })
    other.socket.send('still here')
    await until(async () => other.texts.length === 1)
    other.socket.terminate()
  })

  test('notifies its session once when it is gone', async () => {
    const own = await startEcho()
    const { socket } = await connect(`${own.url}/echo`)
    socket.close()
    await until(async () => own.closed() === 1)
    own.peers[0]?.send('to nobody')
    const cut = await connect(`${own.url}/echo`)
    cut.socket.terminate()
    await until(async () => own.closed() === 2)
    await own.stop()
    expect(own.closed()).toBe(2)
  })

  test('is cut when its client leaves too much unread', async () => {
    const own = await startEcho()
    const { socket, ended } = await connect(`${own.url}/echo`)
    socket.pause()
    const large = 'x'.repeat(1_000_000)
    for (let sent = 0; sent < 60; sent += 1) own.peers[0]?.send(large)
    await until(async () => own.closed() === 1)
    socket.resume()
    expect(await ended).toMatchObject({ code: 1006 })
    await own.stop()
  })

  test('leaves broken handshakes behind', async () => {
    const before = echo.closed()
    const { port } = new URL(echo.url)
    const tcp = connectTcp(Number(port), '127.0.0.1')
    tcp.write('GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    const answer = await new Promise<string>((resolve) => tcp.once('data', (bytes) => resolve(String(bytes))))
    expect(answer).toContain('400 Bad Request')
    tcp.destroy()
    await until(async () => echo.closed() === before + 1)
  })

  test('that asks for another protocol is answered as plain HTTP', async () => {
    const { port } = new URL(echo.url)
    const tcp = connectTcp(Number(port), '127.0.0.1')
    tcp.write('GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
    const answer = await new Promise<string>((resolve) => tcp.once('data', (bytes) => resolve(String(bytes))))
    expect(answer).toContain('200 OK')
    tcp.destroy()
  })
})

describe('keeping alive', () => {
  test('pings a client, and cuts one that answers no ping', async () => {
    const own = await startEcho({ pingMs: 20, cutMs: 1_500 })
    const [deaf, alive] = [
      await connect(`${own.url}/echo`, { autoPong: false }),
      await connect(`${own.url}/echo`),
    ]
    const pings: string[] = []
    alive.socket.on('ping', (payload) => pings.push(String(payload)))
    expect(await deaf.ended).toMatchObject({ code: 1006 })
    await until(async () => pings.length > 10)
    expect(alive.socket.readyState).toBe(alive.socket.OPEN)
    await own.stop()
  })

  test('ends with the server, for every client', async () => {
    const own = await startEcho()
    const clients = await Promise.all([1, 2, 3].map(async () => await connect(`${own.url}/echo`)))
    await own.stop()
    for (const { ended } of clients) expect((await ended).code).toBeGreaterThan(1000)
  })
})

describe('events', () => {
  const fed = async (faults: FaultAction[], match = {}) => {
    const own = await startEcho()
    const client = await connect(`${own.url}/echo`)
    for (const action of faults) own.arm({ match, count: 1, ...action })
    const send = (text: string, apiKey = 'k', symbol = 'BTCUSDT'): void => {
      for (const peer of own.peers) own.feed.send(peer, apiKey, symbol, text)
    }
    return { own, client, send }
  }
  const arrived = async ({ texts }: { texts: string[] }, count: number): Promise<string[]> => {
    await until(async () => texts.length >= count)
    return texts
  }

  test.each<[FaultAction['action'], string[]]>([
    ['duplicate-events', ['a', 'a', 'b', 'c']],
    ['reorder-events', ['b', 'a', 'c']],
    ['silent-stream', ['b', 'c']],
  ])('%s bends the stream as often as it counts', async (action, expected) => {
    const { own, client, send } = await fed([{ action } as FaultAction])
    for (const text of ['a', 'b', 'c']) send(text)
    expect(await arrived(client, expected.length)).toEqual(expected)
    await own.stop()
  })

  test('that wait to be overtaken come by themselves when nothing does', async () => {
    const { own, client, send } = await fed([{ action: 'reorder-events' }])
    send('alone')
    expect(await arrived(client, 1)).toEqual(['alone'])
    await own.stop()
  })

  test('are bent only where wire, path, account and symbol match', async () => {
    const match = { wire: 'binance-futures', path: '/ech', apiKey: 'k', symbol: 'ETHUSDT' }
    const { own, client, send } = await fed([{ action: 'silent-stream' }], match)
    send('other symbol')
    send('other account', 'j', 'ETHUSDT')
    send('meant', 'k', 'ETHUSDT')
    send('after', 'k', 'ETHUSDT')
    expect(await arrived(client, 3)).toEqual(['other symbol', 'other account', 'after'])
    await own.stop()
  })

  test('go silent while requests and pings are still answered', async () => {
    const { own, client, send } = await fed([])
    own.arm({ match: {}, action: 'silent-stream' })
    send('unheard')
    client.socket.send('asked')
    expect(await arrived(client, 1)).toEqual(['asked'])
    const ponged = new Promise((resolve) => client.socket.once('pong', resolve))
    client.socket.ping()
    await ponged
    expect(client.texts).toEqual(['asked'])
    await own.stop()
  })

  test('end with a disconnect as soon as it is armed, for the account it names', async () => {
    const own = await startEcho()
    const [first, second] = [await connect(`${own.url}/echo`), await connect(`${own.url}/echo`)]
    own.peers.forEach((peer, index) => void own.feed.join(peer, index === 0 ? 'k' : 'j'))
    own.arm({ match: { apiKey: 'k' }, action: 'disconnect', count: 1 })
    expect(await first.ended).toMatchObject({ code: 1001 })
    second.socket.send('still here')
    expect(await arrived(second, 1)).toEqual(['still here'])
    await own.stop()
  })

  test('end with a disconnect at the next event where none was open before', async () => {
    const own = await startEcho()
    own.arm({ match: {}, action: 'disconnect', count: 1 })
    const { ended } = await connect(`${own.url}/echo`)
    for (const peer of own.peers) own.feed.send(peer, 'k', undefined, 'never')
    expect(await ended).toMatchObject({ code: 1001 })
    await own.stop()
  })
})
