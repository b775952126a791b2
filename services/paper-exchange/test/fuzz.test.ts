import { connect as connectTcp } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Credentials, INTERNAL_TOKEN, type Paper, startPaper } from './paper.ts'
import { connect } from './socket-rig.ts'

const RUNS = 300

let paper: Paper
let owner: Credentials

beforeAll(async () => {
  paper = await startPaper()
  owner = await paper.open()
})

afterAll(async () => {
  expect((await fetch(`${paper.root}/readyz`)).status).toBe(200)
  await paper.stop()
})

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']
const KINDS = [
  'accounts',
  'prices',
  'symbols',
  'faults',
  'journal',
  '',
  'nothing',
  '__proto__',
  'constructor',
]
const NAMES = ['', 'BTCUSDT', 'fault-1', '__proto__', '%00', '%', '..', '%2e%2e', 'a/b', 'x'.repeat(2_000)]
const STRANGE = [
  '1e999',
  'NaN',
  '-0',
  '0x10',
  '١٢',
  '1.',
  '.5',
  ' 1',
  '9'.repeat(40),
  '\u0000',
  '🚀',
  '',
  'null',
]

const aValue = fc.oneof(
  fc.constantFrom<unknown>(...STRANGE),
  fc.constantFrom<unknown>(null, true, [], {}, -1, 0, 1e308, 1.5, ['USDT'], { USDT: {} }),
  fc.anything({ maxDepth: 2 }),
)
const FIELDS = [
  ...['balances', 'bid', 'ask', 'last', 'mark', 'index', 'action', 'match', 'count', 'probability', 'seed'],
  ...['ms', 'status', 'code', 'ratio', 'base', 'quote', 'tick', 'step', 'venues', 'band', 'minNotional'],
]
const ACTIONS = ['drop', 'delay', 'partial-fill', 'reject', 'status', 'explode']
const aBody = fc.oneof(
  fc.dictionary(fc.constantFrom(...FIELDS), aValue).map(encode),
  fc.record({ action: fc.constantFrom(...ACTIONS), match: aValue, ms: aValue, ratio: aValue }).map(encode),
  fc.record({ bid: aValue, ask: aValue }).map(encode),
  aValue.map(encode),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('{', '[[[[', '"', '[1,', '{"a":1}}', 'x'.repeat(70_000), `${'['.repeat(30_000)}`),
)

// Values that JSON has no word for are left out.
function encode(value: unknown): string {
  const plain = (_name: string, one: unknown): unknown => (typeof one === 'bigint' ? String(one) : one)
  return JSON.stringify(value, plain) ?? ''
}

async function statusOf(method: string, path: string, body: string, headers = {}): Promise<number> {
  const carries = method !== 'GET' && method !== 'HEAD'
  const response = await fetch(`${paper.root}${path}`, { method, headers, ...(carries && { body }) })
  await response.arrayBuffer()
  return response.status
}

describe('any request to control', () => {
  test('is answered, and never with a fault of its own', async () => {
    const asked = fc.record({
      method: fc.constantFrom(...METHODS),
      kind: fc.constantFrom(...KINDS),
      name: fc.option(fc.constantFrom(...NAMES, owner.apiKey, `${owner.apiKey}/reset`)),
      body: aBody,
      accept: fc.constantFrom('*/*', 'text/html', ''),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ method, kind, name, body, accept }) => {
        const path = `/control/${kind}${name === null ? '' : `/${name}`}`
        const status = await statusOf(method, path, body, { accept })
        expect([200, 201, 204, 400, 404, 409, 413]).toContain(status)
        await paper.control('DELETE', 'faults')
      }),
      { numRuns: RUNS },
    )
  })

  test('of the product’s own endpoint is answered too', async () => {
    const headers = { Authorization: `Bearer ${INTERNAL_TOKEN}` }
    const paths = [
      '/internal/accounts',
      `/internal/accounts/${owner.apiKey}/reset`,
      '/internal/accounts//reset',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...METHODS),
        fc.constantFrom(...paths),
        aBody,
        async (method, path, body) => {
          expect([200, 201, 400, 404, 405, 413]).toContain(await statusOf(method, path, body, headers))
        },
      ),
      { numRuns: RUNS },
    )
  })
})

describe('any message over a socket', () => {
  const PATHS = [
    '/ws-fapi/v1',
    '/ws-api/v3',
    '/v5/trade',
    '/v5/private',
    '/v5/public/linear',
    '/v5/public/spot',
  ]
  const STREAMS = ['/ws', '/stream', '/binance-futures/ws', '/public/stream', '/market/ws/btcusdt@markPrice']
  const WORDS = [
    'order.place',
    'order.create',
    'auth',
    'subscribe',
    'SUBSCRIBE',
    'ping',
    'session.logon',
    'x',
  ]
  const aFrame = fc.oneof(
    fc
      .record({
        id: aValue,
        reqId: aValue,
        method: fc.oneof(fc.constantFrom(...WORDS), aValue),
        op: fc.oneof(fc.constantFrom(...WORDS), aValue),
        params: fc.oneof(fc.array(aValue), fc.dictionary(fc.string(), aValue), aValue),
        args: fc.oneof(fc.array(aValue), aValue),
        header: aValue,
      })
      .map(encode),
    aBody.map((text) => text.slice(0, 60_000)),
  )

  test.each([...PATHS, ...STREAMS])('%s stays up', async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.array(aFrame, { minLength: 1, maxLength: 12 }), async (frames) => {
        const { socket, ended } = await connect(`${paper.root.replace('http', 'ws')}${path}`)
        for (const frame of frames) socket.send(frame)
        socket.close()
        const { code } = await ended
        // 1011 is how a session that failed ends.
        expect(code).not.toBe(1011)
      }),
      { numRuns: RUNS / 5 },
    )
  })

  test('binary, oversized and broken frames end their own connection only', async () => {
    const url = `${paper.root.replace('http', 'ws')}/ws-fapi/v1`
    const [binary, large, alive] = [await connect(url), await connect(url), await connect(url)]
    binary.socket.send(Buffer.alloc(1_000))
    large.socket.send('x'.repeat(1_000_000))
    expect(await binary.ended).toMatchObject({ code: 1003 })
    expect(await large.ended).toMatchObject({ code: 1009 })
    expect(alive.socket.readyState).toBe(alive.socket.OPEN)
    alive.socket.terminate()
  })

  const HANDSHAKE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'

  test.each([
    ['no key', `GET /ws HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}\r\n`, '400'],
    ['a POST', `POST /ws HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${HANDSHAKE}${KEY}\r\n`, '405'],
    ['another version', `GET /ws HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}${KEY.replace('13', '1')}\r\n`, '4'],
    ['a path of control', `GET /control/accounts HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}${KEY}\r\n`, '404'],
    ['a path that is none', `GET //..%2f HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}${KEY}\r\n`, '404'],
    ['bytes that are no HTTP', '\u0000\u0001\u0002\r\n\r\n', '400'],
  ])('a handshake with %s is refused', async (_what, bytes, status) => {
    const tcp = connectTcp(paper.port, '127.0.0.1')
    tcp.write(bytes)
    const answer = await new Promise<string>((resolve) => tcp.once('data', (got) => resolve(String(got))))
    tcp.destroy()
    expect(answer.split(' ')[1]).toMatch(new RegExp(`^${status}`))
  })
})
