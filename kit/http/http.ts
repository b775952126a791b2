import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import type { TrustedProxies } from '../config.ts'
import type { HttpService } from '../lifecycle.ts'
import { RefusedError, refusalStatus } from '../refused-error.ts'
import type { Log } from '../telemetry/log.ts'
import { type Metrics, metricsContentType } from '../telemetry/metrics.ts'
import { meterProcess } from '../telemetry/process-metrics.ts'

export type Http = FastifyInstance

export interface HttpOptions {
  log: Log
  bodyLimitBytes: number
  /** True while the process can do its own duties; asked by `/readyz`. */
  isReady: () => boolean
  /** Returns the stores that take no writes; in the answer of `/readyz`, with any status. */
  refusing?: () => readonly string[]
  /** False when only a new process helps; asked by `/livez`. */
  isAlive?: () => boolean
  /** Served at `/metrics`, to everybody; without them nothing is there. */
  metrics?: Metrics
  /** The proxies in front that are believed about a caller's address; none by default. */
  trustedProxies?: TrustedProxies
}

/**
 * An HTTP server with our timeouts, our one form of error (`{detail, code, request_id}`), the probes `/livez` and
 * `/readyz`, and metrics where they are given. Requests are not logged: URLs hold webhook tokens.
 */
export function buildHttp(options: HttpOptions): Http {
  const {
    log,
    bodyLimitBytes,
    isReady,
    isAlive = () => true,
    refusing,
    metrics,
    trustedProxies = 0,
  } = options
  const http = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: 90_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (_error, request, reply) => answerBadUrl(request.id, reply),
    trustProxy: Array.isArray(trustedProxies) ? trustedProxies : (_address, hop) => hop < trustedProxies,
  })
  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  http.setErrorHandler((error: FastifyError, request, reply) => answerError(log, error, request.id, reply))
  http.setNotFoundHandler((request, reply) => {
    reply.code(404).send({ detail: 'Not found', code: 'not_found', request_id: request.id })
  })
  addProbe(http, '/livez', isAlive)
  addProbe(http, '/readyz', isReady, refusing)
  if (metrics !== undefined) serveMetrics(http, metrics, isReady)
  return http
}

function addProbe(
  http: Http,
  path: string,
  isWell: () => boolean,
  refusing: () => readonly string[] = () => [],
): void {
  http.get(path, (_request, reply) => {
    const well = isWell()
    const stores = refusing()
    const body = { status: well ? 'ok' : 'down', ...(stores.length > 0 && { refusing: stores }) }
    reply.code(well ? 200 : 503).send(body)
  })
}

function serveMetrics(http: Http, metrics: Metrics, isReady: () => boolean): void {
  meterProcess(metrics, isReady)
  http.get('/metrics', async (_request, reply) => {
    reply.header('content-type', metricsContentType)
    return await metrics.read()
  })
}

/** Starts to listen; 0 takes a free port. */
export async function listen(http: Http, host: string, port: number): Promise<HttpService> {
  await http.listen({ host, port })
  const address = http.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, stop: async () => await http.close() }
}

// Requests that Node could not read, by its own words; anything else is malformed.
const unreadable: Readonly<Record<string, [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
}

/** Answers what is not even a request in the form of all errors, and closes its connection. */
function answerUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, detail] = unreadable[error.code] ?? [400, 'The request is malformed']
  const body = JSON.stringify({ detail, code: 'invalid_request', request_id: randomUUID() })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

/** The framework's own answer has another form and repeats the address, which may hold a token. */
function answerBadUrl(requestId: string, reply: FastifyReply): FastifyReply {
  const detail = 'The address is not valid'
  return reply.code(400).send({ detail, code: 'invalid_request', request_id: requestId })
}

function answerError(log: Log, error: FastifyError, requestId: string, reply: FastifyReply): FastifyReply {
  if (error instanceof RefusedError) {
    const detail = error.faults ?? error.message
    if (error.retryAfterS !== undefined) reply.header('retry-after', error.retryAfterS)
    const status = refusalStatus(error.code)
    if (status >= 500) log.warn({ err: error, requestId }, 'request refused for a fault')
    return reply.code(status).send({ detail, code: error.code, request_id: requestId })
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const detail = error.validation.map(({ instancePath, message }) => ({
      field: instancePath.slice(1).replaceAll('/', '.'),
      message: message ?? 'is not valid',
    }))
    return reply.code(422).send({ detail, code: 'invalid_request', request_id: requestId })
  }
  const status = error.statusCode ?? 500
  if (status < 500) {
    return reply.code(status).send({ detail: error.message, code: 'invalid_request', request_id: requestId })
  }
  log.error({ err: error, requestId }, 'request failed')
  return reply.code(500).send({ detail: 'Something went wrong', code: 'internal', request_id: requestId })
}
