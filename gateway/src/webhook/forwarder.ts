import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { Transform } from 'node:stream'
import type { Bus } from '@tripline/kit/bus/bus'
import { watchDelivery } from '@tripline/kit/http/delivery'
import { type Tracing, traceHeader } from '@tripline/kit/telemetry/trace'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { type WebhookRefusal, webhookBodyLimitBytes } from '@tripline/proto/http/webhook'
import { AlertId } from '@tripline/proto/id'
import { answeredAlertHeader, deliveryHeader } from '@tripline/proto/intake-request'
import { openDeliveries } from './deliveries.ts'

// The longest wait that an alert may ask for, and some slack for its way.
const longestAnswerMs = 70_000

// Headers that belong to one hop, and those that only we may set.
const droppedHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  // Whether an alert is traced is not for its sender to say.
  traceHeader,
  'tracestate',
  'baggage',
  deliveryHeader,
  answeredAlertHeader,
])

/** Passes requests on to intake. */
export interface Forwarder {
  /** Passes one request on, as coming from this address; its answer carries the id. */
  forward: (
    incoming: IncomingMessage,
    response: ServerResponse,
    from: { address: string; requestId: string },
  ) => void
  close: () => void
}

/**
 * Passes requests on to one address over warm connections, as they come and without a second attempt, and publishes
 * whether each caller got intake's answer: an alert whose answer was lost is known again when it is resent.
 */
export function createForwarder(target: string, bus: Bus): Forwarder {
  const { log, tracing } = bus
  const deliveries = openDeliveries(bus, steadyNow)
  const { hostname, port } = new URL(target)
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' })
  const forward: Forwarder['forward'] = (incoming, response, { address, requestId }) => {
    const arrivedAt = steadyNow()
    response.setHeader('x-request-id', requestId)
    const { method, url: path } = incoming
    const { 'content-length': length, ...passed } = passedHeaders(incoming)
    const headers = {
      ...passed,
      ...(isShort(incoming) && { 'content-length': length }),
      'x-forwarded-for': address,
      [deliveryHeader]: requestId,
      ...(tracing !== undefined && { [traceHeader]: beginSpan(tracing, response) }),
    }
    const outgoing = request({ agent, hostname, port, method, path, headers, timeout: longestAnswerMs })
    outgoing.on('response', (answer) => {
      // Intake asks for it by naming the request in turn.
      if (answer.headers[deliveryHeader] === requestId)
        watchDelivery(response, (isReceived) =>
          deliveries.publish({
            id: requestId,
            isReceived,
            ...answeredAlert(answer),
            tookMs: Math.trunc(steadyNow() - arrivedAt),
          }),
        )
      passBack(answer, response)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('intake did not answer in time')))
    outgoing.on('error', (error) => {
      if (!response.destroyed) log.warn({ err: error }, 'alert not passed on')
      refuse(response)
    })
    // A caller that hangs up needs no answer; what intake has read by then is executed all the same.
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
    })
    if (isShort(incoming)) incoming.pipe(outgoing)
    else incoming.pipe(cutBody()).pipe(outgoing)
  }
  return {
    forward,
    close: () => {
      deliveries.stop()
      agent.destroy()
    },
  }
}

function answeredAlert({ headers }: IncomingMessage): { alertId?: AlertId } {
  const { data: alertId } = AlertId.safeParse(headers[answeredAlertHeader])
  return alertId === undefined ? {} : { alertId }
}

/** Traces a request until it is answered, if it is drawn; returns the header for intake. */
function beginSpan(tracing: Tracing, response: ServerResponse): string {
  const span = tracing.begin('webhook.pass', 'server', now())
  if (span === undefined) return tracing.undrawn
  response.once('close', () => {
    span.end(response.writableFinished ? { status: response.statusCode } : { outcome: 'fault' })
  })
  return span.traceparent
}

function passedHeaders(message: IncomingMessage): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(message.headers)) {
    if (!droppedHeaders.has(name)) headers[name] = value
  }
  return headers
}

function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= webhookBodyLimitBytes
}

/**
 * Passes on what intake takes of a body, and the byte more by which it finds it too long. Intake closes the connection behind
 * its answer to that: a body that was still being written would fail before the answer is read.
 */
function cutBody(): Transform {
  let left = webhookBodyLimitBytes + 1
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const passed = chunk.subarray(0, left)
      left -= passed.length
      done(null, passed.length > 0 ? passed : undefined)
    },
  })
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 503, passedHeaders(answer))
  answer.pipe(response)
  answer.on('error', () => response.destroy())
}

// Intake takes an equal body for a resend of an alert that was cut off after 4 s; what comes earlier is a new alert.
const resendAfterS = '5'

/** Whether intake has the alert is not known here, so the platform may send it again: intake sees that it is the same. */
function refuse(response: ServerResponse): void {
  // An answer that has begun ends, well or badly, by itself.
  if (response.headersSent) return
  const error = 'The alert could not be taken, please send it again'
  const body: WebhookRefusal = {
    status: 'failed',
    error,
    message: error,
    detail: error,
    error_code: 'not_durable',
  }
  response.writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': resendAfterS })
  response.end(JSON.stringify(body))
}
