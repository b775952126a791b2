import { hash } from 'node:crypto'
import { watchDelivery } from '@tripline/kit/http/delivery'
import type { Http } from '@tripline/kit/http/http'
import { acquireUntilClosed, type KeyedLimit } from '@tripline/kit/http/keyed-limit'
import { RefusedError } from '@tripline/kit/refused-error'
import type { Log } from '@tripline/kit/telemetry/log'
import { type Span, traceHeader } from '@tripline/kit/telemetry/trace'
import { addressRange } from '@tripline/proto/address-range'
import type { UserId } from '@tripline/proto/id'
import { answeredAlertHeader, deliveryHeader } from '@tripline/proto/intake-request'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { newAlertId } from '../alert-id.ts'
import { type Answer, type AnswerDeps, answerAlert, countedAnswer, refusalAnswer } from '../answer-alert.ts'
import { sessionKey } from '../claim-key.ts'
import type { Deliveries } from '../consumers/deliveries.ts'
import type { Webhooks } from '../consumers/webhooks.ts'
import {
  foreignAddress,
  malformedRequest,
  messageTooLarge,
  type Origin,
  type Refusal,
  tooManyOpen,
  tooManyRefused,
  tooManyUnknown,
  unavailable,
  unknownWebhook,
  webhookInactive,
} from '../domain/refusal.ts'
import type { Webhook } from '../domain/webhook.ts'
import { answerStatusOf, type IntakeMetrics } from '../metrics.ts'
import { type Arrival, type ReceiveDeps, type Received, receiveAlert } from '../receive-alert.ts'
import type { Claim } from '../store/claim.ts'
import type { ErrorLimit } from '../store/error-limit.ts'
import type { Senders } from '../store/senders.ts'

/** The largest body that is read of a webhook that had too many alerts refused: it may close something. */
const shortBodyBytes = 1024
const longestWaitMs = 60_000
/** When charting platforms hang up: an answer that goes out later has nobody who reads it, whatever the connection says. */
export const hangUpMs = 3000

export interface WebhookDeps extends ReceiveDeps, AnswerDeps {
  log: Log
  webhooks: Webhooks
  senders: Senders
  deliveries: Deliveries
  /** When an answer comes too late to be read by its caller. */
  latestAnswerMs: number
  /** Requests that one address may have open. */
  openRequests: KeyedLimit
  unknownTokensPerMinute: number
  errorLimit: ErrorLimit
  refusedPerMinute: number
  metrics: IntakeMetrics
  /** Whether the sender in front is believed about which alerts are traced. */
  takesTraces: boolean
  /** Whether the address is one of TradingView's. */
  isTradingview: (address: string) => boolean
  /** Whether the access token is one of this user. */
  isOwner: (token: string, userId: UserId) => Promise<boolean>
}

type WebhookRequest = FastifyRequest<{
  Params: { '*': string }
  Querystring: { wait?: string }
  Body: string | undefined
}>

const Wait = z.coerce.number().transform((ms) => Math.min(Math.max(Math.trunc(ms), 0), longestWaitMs))

/** Adds `POST /webhook/<token>`, whatever stands for the token: all that are unknown look the same. Nothing here logs a URL or a token. */
export function addWebhookRoute(http: Http, deps: WebhookDeps): void {
  http.register((scope, _options, ready) => {
    // Any type that a caller names is read as text; a malformed one would be refused otherwise.
    scope.addHook('onRequest', (request, _reply, done) => {
      request.raw.headers['content-type'] = 'text/plain'
      done()
    })
    scope.addHook('onRequest', async (request, reply) => {
      const crowded = answerCrowded(deps, request, reply)
      const answer = crowded ?? (await answerUnread(deps, request as WebhookRequest))
      return answer && send(reply, answer)
    })
    // By then the answer is on its way.
    scope.addHook('onResponse', (request, reply, done) => {
      noteAnswer(deps, request as WebhookRequest, reply)
      done()
    })
    scope.setErrorHandler(async (error: FastifyError, request, reply) =>
      send(reply, await answerFault(deps, error, request as WebhookRequest)),
    )
    scope.post('/webhook/*', async (request: WebhookRequest, reply) =>
      send(reply, await answerMessage(deps, request, reply)),
    )
    ready()
  })
}

function noteAnswer({ metrics }: WebhookDeps, { query }: WebhookRequest, reply: FastifyReply): void {
  metrics.answers.add({ status: answerStatusOf(reply.statusCode) })
  const wait = query.wait === undefined ? 'usual' : 'asked'
  metrics.answerTimes.observe({ wait }, reply.elapsedTime / 1000)
}

/**
 * The answer to a request from an address that has too many open, of which nothing is looked at; undefined where it has not.
 * TradingView's few addresses send the alerts of everybody.
 */
function answerCrowded(
  { openRequests, isTradingview }: WebhookDeps,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): Answer | undefined {
  if (isTradingview(ip)) return undefined
  try {
    acquireUntilClosed(openRequests, addressRange(ip), reply.raw)
    return undefined
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return refusalAnswer(tooManyOpen(error.message, error.retryAfterS))
  }
}

/** The answer to a request whose body is not even read; undefined where it is. */
async function answerUnread(deps: WebhookDeps, request: WebhookRequest): Promise<Answer | undefined> {
  const receivedAt = deps.clock()
  if (!deps.errorLimit.isAnyShut(receivedAt)) return undefined
  const webhook = webhookOf(deps, request)
  if (webhook === undefined) return undefined
  const origin = await likelyOrigin(deps, request, webhook)
  if (mayClose(request, origin)) return undefined
  const refusal = afterErrors(deps, origin, webhook, receivedAt)
  if (refusal === undefined) return undefined
  deps.senders.note(webhook.tokenHash, request.ip, receivedAt)
  return countedAnswer(deps, webhook, refusal, receivedAt)
}

/** True for a request that is short enough to be read however many before it were refused. */
function mayClose({ headers }: WebhookRequest, origin: Origin): boolean {
  const length = headers['content-length']
  return length !== undefined && Number(length) <= shortBodyBytes && origin !== 'foreign'
}

/** The refusal of messages of an origin while too many before them were refused. */
function afterErrors(
  { errorLimit, refusedPerMinute }: WebhookDeps,
  origin: Origin,
  webhook: Webhook,
  now: number,
): Refusal | undefined {
  const waitMs = errorLimit.waitMs(errorKey(origin, webhook), now)
  return waitMs > 0 ? tooManyRefused({ most: refusedPerMinute, origin }, waitMs) : undefined
}

/** Counts an answer that refuses what was read. */
function countError(deps: WebhookDeps, origin: Origin, webhook: Webhook, { status }: Answer): void {
  if (status < 400 || status >= 500) return
  deps.errorLimit.count(errorKey(origin, webhook), deps.clock())
}

// Attempts of the owner, and calls from foreign addresses, must not keep out those that the webhook takes alerts from.
function errorKey(origin: Origin, { tokenHash, userId }: Webhook): string {
  return { session: sessionKey(userId), own: tokenHash, foreign: `${tokenHash}:foreign` }[origin]
}

/**
 * The origin of a request; nothing is asked for one without an access token. Throws where it is a session's word that
 * decides whether it is taken, and auth cannot be asked.
 */
async function originOf(deps: WebhookDeps, request: WebhookRequest, webhook: Webhook): Promise<Origin> {
  const origin = addressOrigin(deps, request, webhook)
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) return origin
  try {
    return (await deps.isOwner(token, webhook.userId)) ? 'session' : origin
  } catch (error) {
    if (webhook.isActive && origin === 'own') return origin
    throw error
  }
}

/** The origin of a request that is refused in any case: where auth cannot be asked, by its address. */
async function likelyOrigin(deps: WebhookDeps, request: WebhookRequest, webhook: Webhook): Promise<Origin> {
  return await originOf(deps, request, webhook).catch(() => addressOrigin(deps, request, webhook))
}

function addressOrigin(
  { isTradingview }: WebhookDeps,
  { ip }: WebhookRequest,
  { onlyTradingview }: Webhook,
): 'own' | 'foreign' {
  return onlyTradingview && !isTradingview(ip) ? 'foreign' : 'own'
}

async function answerMessage(
  deps: WebhookDeps,
  request: WebhookRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const receivedAt = deps.clock()
  const webhook = webhookOf(deps, request)
  if (webhook === undefined) return await answerUnknown(deps, request, receivedAt)
  deps.senders.note(webhook.tokenHash, request.ip, receivedAt)
  const span = beginSpan(deps, request, receivedAt)
  try {
    const origin = await originOf(deps, request, webhook)
    const body = request.body ?? ''
    const unlessExit = afterErrors(deps, origin, webhook, receivedAt)
    const arrival = { webhook, body, origin, waitMs: waitOf(request), unlessExit, receivedAt, span }
    const objection = objectionTo(request, origin, webhook)
    const received =
      objection === undefined ? await receiveAlert(deps, arrival) : refusing(arrival, objection)
    if (received.outcome !== 'refused') followDelivery(deps, { request, reply, receivedAt }, received.claim)
    const answer = await answerAlert(deps, arrival, received)
    countError(deps, origin, webhook, answer)
    const { alert_id: alertId, status: outcome } = answer.body
    const { status } = answer
    const answeredAt = deps.clock()
    const tookMs = answeredAt - receivedAt
    span?.end({ alertId, outcome, status }, answeredAt)
    deps.log.info({ alertId, userId: webhook.userId, status, outcome, tookMs }, 'alert answered')
    return answer
  } finally {
    // Only a fault has left it open.
    span?.end({ outcome: 'fault' })
  }
}

/**
 * Reports to a claim whether its caller gets the answer: by the gateway's word behind the gateway, else by the
 * connection.
 */
function followDelivery(
  { deliveries, clock, latestAnswerMs }: WebhookDeps,
  { request, reply, receivedAt }: { request: WebhookRequest; reply: FastifyReply; receivedAt: number },
  { alertId, delivered }: Claim,
): void {
  if (delivered === undefined) return
  const listen = (isReceived: boolean): void => {
    delivered(isReceived && clock() - receivedAt <= latestAnswerMs)
  }
  const requestId = request.headers[deliveryHeader]
  if (typeof requestId !== 'string') {
    watchDelivery(reply.raw, listen)
    return
  }
  reply.headers({ [deliveryHeader]: requestId, [answeredAlertHeader]: alertId })
  deliveries.expect(requestId, listen)
  let isSent = false
  watchDelivery(reply.raw, (isReceived) => {
    isSent ||= isReceived
    if (!isSent) listen(false)
  })
}

/** Whether a public request is traced is not for its sender to say. */
function beginSpan(
  { bus: { tracing }, takesTraces }: WebhookDeps,
  { headers: { [traceHeader]: traceHeaderValue } }: WebhookRequest,
  at: number,
): Span | undefined {
  if (tracing === undefined) return undefined
  if (takesTraces && typeof traceHeaderValue === 'string')
    return tracing.follow(traceHeaderValue, 'alert.receive', 'server', at)
  return tracing.begin('alert.receive', 'server', at)
}

/** The refusal of a caller; none of the webhook's owner with a session, whose Terminal works whatever the settings say. */
function objectionTo({ ip }: WebhookRequest, origin: Origin, { isActive }: Webhook): Refusal | undefined {
  if (origin === 'session') return undefined
  if (!isActive) return webhookInactive
  return origin === 'foreign' ? foreignAddress(ip) : undefined
}

function refusing({ body, receivedAt }: Arrival, refusal: Refusal): Received {
  return { outcome: 'refused', refusal, alertId: newAlertId(receivedAt), message: body }
}

async function answerUnknown(deps: WebhookDeps, { ip }: WebhookRequest, now: number): Promise<Answer> {
  const waitMs = await deps.rateLimit.admit(`address:${addressRange(ip)}`, deps.unknownTokensPerMinute, now)
  return refusalAnswer(waitMs > 0 ? tooManyUnknown(waitMs) : unknownWebhook)
}

/** Answers a request that could not be received; on a valid token it still leaves a row in the history. */
async function answerFault(deps: WebhookDeps, error: FastifyError, request: WebhookRequest): Promise<Answer> {
  const refusal = refusalOf(error)
  if (refusal === unavailable) deps.log.error({ err: error }, 'alert not received')
  const receivedAt = deps.clock()
  const webhook = webhookOf(deps, request)
  if (webhook === undefined) return await answerUnknown(deps, request, receivedAt)
  deps.senders.note(webhook.tokenHash, request.ip, receivedAt)
  const origin = await likelyOrigin(deps, request, webhook)
  const arrival = { webhook, body: '', origin, waitMs: undefined, receivedAt }
  const alertId = newAlertId(receivedAt)
  const answer = await answerAlert(deps, arrival, { outcome: 'refused', refusal, alertId, message: '' })
  countError(deps, origin, webhook, answer)
  return answer
}

function refusalOf(error: FastifyError): Refusal {
  if (error.statusCode === 413) return messageTooLarge
  return (error.statusCode ?? 500) < 500 ? malformedRequest : unavailable
}

function webhookOf({ webhooks }: WebhookDeps, { params }: WebhookRequest): Webhook | undefined {
  return webhooks.byTokenHash(hash('sha256', params['*']))
}

function waitOf({ query }: WebhookRequest): number | undefined {
  return query.wait === undefined ? undefined : Wait.safeParse(query.wait).data
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  if ('retry_after' in body) reply.header('retry-after', body.retry_after)
  return reply.code(status).send(body)
}
