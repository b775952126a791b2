import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { flush, publish, subscribe } from '@tripline/kit/bus/bus'
import { WebhookRefusal, webhookBodyLimitBytes } from '@tripline/proto/http/webhook'
import { answeredAlertHeader, deliveryHeader } from '@tripline/proto/intake-request'
import { answerDeliveredSubject, deliveriesAskedSubject } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { type GatewayFixture, startFixture } from './gateway-fixture.ts'
import { type IntakeDouble, startIntakeDouble } from './intake-double.ts'

describe('POST /webhook/*', () => {
  let intake: IntakeDouble
  let gateway: GatewayFixture
  beforeAll(async () => {
    intake = await startIntakeDouble()
    gateway = await startFixture({ INTAKE_URL: intake.url })
  })
  beforeEach(() => {
    intake.arrived.length = 0
    intake.refuseBeyond(Number.POSITIVE_INFINITY)
    intake.answerWith((_arrived, response) => response.writeHead(200).end('{}'))
  })
  afterAll(async () => {
    await gateway.stop()
    await intake.stop()
  })

  test.each([
    ['text', 'MyBot(BTCUSDT) { market(buy, 1) }', 'text/plain'],
    ['JSON', '{"message": "MyBot"}', 'application/json'],
    ['what is no JSON', '{"message": ', 'application/json'],
    ['bytes that are no text', Buffer.from([0xff, 0x00, 0xfe]), 'application/octet-stream'],
    ['nothing', '', 'text/plain'],
    ['an empty type', 'MyBot', ''],
    ['a type that is none', 'MyBot', 'nonsense;;'],
    ['compressed bytes', gzipSync('MyBot'), 'text/plain'],
  ])('passes on %s as it came', async (_name, body, type) => {
    await post('/webhook/token?wait=60000', body, { 'content-type': type, 'user-agent': 'charts' })
    expect(intake.arrived).toMatchObject([
      {
        method: 'POST',
        url: '/webhook/token?wait=60000',
        headers: { 'content-type': type, 'user-agent': 'charts' },
        body: Buffer.from(body),
      },
    ])
  })

  test('passes on more than intake takes, and its answer to that', async () => {
    intake.answerWith((_arrived, response) => response.writeHead(413).end('{"status":"failed"}'))
    const answer = await post('/webhook/token', 'x'.repeat(300_000))
    expect(answer).toMatchObject({ status: 413, text: '{"status":"failed"}' })
    expect(intake.arrived.map(({ body }) => body.length)).toEqual([webhookBodyLimitBytes + 1])
  })

  test.each(['a length', 'chunks'])('passes back the refusal of 10 MB that came with %s', async (way) => {
    intake.refuseBeyond(webhookBodyLimitBytes)
    const headers = way === 'chunks' ? { 'transfer-encoding': 'chunked' } : {}
    const answer = await post('/webhook/token', 'x'.repeat(10_000_000), headers)
    expect(answer).toMatchObject({ status: 413, text: '{"status":"failed"}' })
  })

  test("passes on the caller's real address, whatever the caller claims", async () => {
    const forged = {
      'x-forwarded-for': '52.89.214.238',
      forwarded: 'for=52.89.214.238',
      'x-real-ip': '1.1.1.1',
    }
    await post('/webhook/token', 'MyBot', forged)
    expect(intake.arrived[0]?.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1' })
    expect(intake.arrived[0]?.headers).not.toHaveProperty('forwarded')
    expect(intake.arrived[0]?.headers).not.toHaveProperty('x-real-ip')
  })

  test('sends no trace context, whatever the caller sends', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await post('/webhook/token', 'MyBot', { traceparent, tracestate: 'a=1', baggage: 'b=1' })
    const names = Object.keys(intake.arrived[0]?.headers ?? {})
    expect(names.filter((name) => ['traceparent', 'tracestate', 'baggage'].includes(name))).toEqual([])
  })

  test("passes on the owner's token, and no header of the first hop", async () => {
    await post('/webhook/token', 'MyBot', {
      authorization: 'Bearer x',
      te: 'trailers',
      connection: 'keep-alive',
    })
    expect(intake.arrived[0]?.headers).toMatchObject({ authorization: 'Bearer x' })
    expect(intake.arrived[0]?.headers).not.toHaveProperty('te')
  })

  test('passes back status, headers and body', async () => {
    intake.answerWith((_arrived, response) => {
      response
        .writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' })
        .end('{"status":"failed"}')
    })
    const answer = await post('/webhook/token', 'MyBot')
    expect(answer).toMatchObject({ status: 429, text: '{"status":"failed"}' })
    expect(answer.headers.get('retry-after')).toBe('7')
  })

  test('uses warm connections again', async () => {
    const before = intake.sockets.size
    for (let count = 0; count < 10; count++) await post('/webhook/token', 'MyBot')
    expect(intake.sockets.size - before).toBeLessThanOrEqual(1)
  })

  test('asks intake once, and says 503 in the form of a refusal, when the answer is lost', async () => {
    intake.answerWith((_arrived, response) => response.destroy())
    const answer = await post('/webhook/secret-token', 'MyBot')
    expect(answer.status).toBe(503)
    expect(WebhookRefusal.parse(JSON.parse(answer.text))).toMatchObject({ error_code: 'not_durable' })
    expect(answer.text).not.toContain('secret-token')
    expect(intake.arrived).toHaveLength(1)
  })

  test('breaks off an answer that broke off', async () => {
    intake.answerWith((_arrived, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.destroy())
    })
    await expect(post('/webhook/token', 'MyBot')).rejects.toThrow()
  })

  test('lets go of intake when the caller hangs up', async () => {
    let wasLetGo = false
    intake.answerWith((_arrived, response) => {
      response.on('close', () => {
        wasLetGo = true
      })
    })
    const { hostname, port } = new URL(gateway.url)
    const call = httpRequest({ hostname, port, method: 'POST', path: '/webhook/token' })
    call.on('error', () => undefined)
    call.end('MyBot')
    await waitFor(() => intake.arrived.length === 1)
    call.destroy()
    await waitFor(() => wasLetGo)
  })

  test('reports to intake, where that asks for it, whether the caller got the answer', async () => {
    const deliveries: unknown[] = []
    const bus = await gateway.nats.connect('intake')
    const stop = subscribe(bus, answerDeliveredSubject, (text) => deliveries.push(JSON.parse(text)))
    await flush(bus)
    intake.answerWith(({ headers }, response) => {
      response.writeHead(200, { [deliveryHeader]: headers[deliveryHeader] }).end('{}')
    })
    const answer = await post('/webhook/token', 'MyBot', { [deliveryHeader]: 'forged' })
    const { [deliveryHeader]: id } = intake.arrived[0]?.headers ?? {}
    expect(id).not.toBe('forged')
    expect(answer.headers.get(deliveryHeader)).toBeNull()
    await waitFor(() => deliveries.length === 1)
    expect(deliveries).toEqual([{ id, isReceived: true, tookMs: expect.any(Number) }])

    const { hostname, port } = new URL(gateway.url)
    const call = connect(Number(port), hostname)
    call.on('error', () => undefined)
    call.pause()
    call.write('POST /webhook/token HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n')
    await waitFor(() => deliveries.length === 2)
    // With its answer unread.
    call.destroy()
    await waitFor(() => deliveries.length === 3)
    const { [deliveryHeader]: lost } = intake.arrived[1]?.headers ?? {}
    expect(deliveries.slice(1)).toMatchObject([
      { id: lost, isReceived: true },
      { id: lost, isReceived: false },
    ])
    stop()
  })

  test('publishes again, to an intake that begins, which alerts were answered', async () => {
    const deliveries: unknown[] = []
    const bus = await gateway.nats.connect('intake')
    const alertId = '01M84TN4H3J9XC20P7JQWX059S'
    intake.answerWith(({ headers }, response) => {
      const { [deliveryHeader]: id } = headers
      response.writeHead(200, { [deliveryHeader]: id, [answeredAlertHeader]: alertId }).end('{}')
    })
    const answer = await post('/webhook/token', 'MyBot', { [answeredAlertHeader]: 'forged' })
    expect(answer.headers.get(answeredAlertHeader)).toBeNull()
    const { [deliveryHeader]: id, [answeredAlertHeader]: forged } = intake.arrived[0]?.headers ?? {}
    expect(forged).toBeUndefined()
    const stop = subscribe(bus, answerDeliveredSubject, (text) => deliveries.push(JSON.parse(text)))
    publish(bus, deliveriesAskedSubject, '')
    const delivery = { id, alertId, isReceived: true, tookMs: expect.any(Number) }
    await waitFor(() => deliveries.some((one) => JSON.stringify(one).includes(alertId)))
    expect(deliveries).toContainEqual(delivery)
    stop()
  })

  test('reports no delivery where intake did not ask for it', async () => {
    const deliveries: string[] = []
    const bus = await gateway.nats.connect('intake')
    const stop = subscribe(bus, answerDeliveredSubject, (text) => deliveries.push(text))
    await flush(bus)
    await post('/webhook/token', 'MyBot')
    intake.answerWith(({ headers }, response) => {
      response.writeHead(200, { [deliveryHeader]: headers[deliveryHeader] }).end('{}')
    })
    await post('/webhook/token', 'MyBot')
    await waitFor(() => deliveries.length > 0)
    expect(deliveries.map((text) => JSON.parse(text))).toMatchObject([
      { id: intake.arrived[1]?.headers[deliveryHeader], isReceived: true },
    ])
    stop()
  })

  test.each(['GET', 'PUT', 'DELETE'])('passes on no %s', async (method) => {
    expect((await gateway.call('/webhook/token', { method })).status).toBe(404)
    expect(intake.arrived).toHaveLength(0)
  })

  async function post(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
    return await postTo(gateway.url + path, body, headers)
  }
})

describe('the way to intake', () => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })

  test('says 503 while intake is away', async () => {
    const gateway = await startFixture()
    stops.push(gateway.stop)
    const answer = await postTo(`${gateway.url}/webhook/token`, 'MyBot')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    WebhookRefusal.parse(JSON.parse(answer.text))
  })

  test('passes on the address that a trusted proxy in front reports, and no earlier one', async () => {
    const intake = await startIntakeDouble()
    const gateway = await startFixture({ INTAKE_URL: intake.url, TRUST_PROXY: '1' })
    stops.push(intake.stop, gateway.stop)
    await postTo(`${gateway.url}/webhook/token`, 'MyBot', { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' })
    expect(intake.arrived[0]?.headers).toMatchObject({ 'x-forwarded-for': '203.0.113.7' })
  })

  test('is not left before an alert under way is answered', async () => {
    const intake = await startIntakeDouble()
    const gateway = await startFixture({ INTAKE_URL: intake.url })
    stops.push(intake.stop, gateway.stop)
    let answerNow: () => void = () => undefined
    intake.answerWith((_arrived, response) => {
      answerNow = () => response.writeHead(200).end('done')
    })
    const answer = postTo(`${gateway.url}/webhook/token`, 'MyBot')
    await waitFor(() => intake.arrived.length === 1)
    const stopping = gateway.stopGateway()
    answerNow()
    expect(await answer).toMatchObject({ status: 200, text: 'done' })
    await stopping
  })
})

async function postTo(url: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const sent = await send(url, body, headers)
  return { status: sent.status, headers: sent.headers, text: await sent.text() }
}

/** Like fetch, which forbids some of the headers that callers may send. */
async function send(url: string, body: string | Buffer, headers: Record<string, string>): Promise<Response> {
  const { hostname, port, pathname, search } = new URL(url)
  return await new Promise((resolve, reject) => {
    const options = { hostname, port, path: pathname + search, method: 'POST', headers }
    const call = httpRequest(options, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const received = new Headers()
        for (const [name, value] of Object.entries(answer.headers)) received.set(name, String(value))
        resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0, headers: received }))
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}
