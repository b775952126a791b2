import { hash } from 'node:crypto'
import type { Http } from '@tripline/kit/http'
import type { Log } from '@tripline/kit/log'
import { type Span, traceHeader } from '@tripline/kit/trace'
import type { UserId } from '@tripline/proto/id'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { newAlertId } from '../alert-id.ts'
import { type Answer, type AnswerDeps, answerAlert, refusalAnswer } from '../answer-alert.ts'
import type { Webhooks } from '../consumers/webhooks.ts'
import {
  foreignAddress,
  malformedRequest,
  messageTooLarge,
  type Refusal,
  tooManyUnknown,
  unavailable,
  unknownWebhook,
} from '../domain/refusal.ts'
import type { Webhook } from '../domain/webhook.ts'
import { answerStatusOf, type IntakeMetrics } from '../metrics.ts'
import { type Arrival, type Receipt, type ReceiveDeps, receiveAlert } from '../receive-alert.ts'
import type { Senders } from '../store/senders.ts'

/** The largest body that is read. */
export const bodyLimitBytes = 65_536
const longestWaitMs = 60_000

export interface WebhookDeps extends ReceiveDeps, AnswerDeps {
  log: Log
  webhooks: Webhooks
  senders: Senders
  unknownTokensPerMinute: number
  metrics: IntakeMetrics
  /** Whether whoever is in front is believed about which alerts are traced. */
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
    // Whatever a caller says it sends, it is read as text; a type that is malformed would be refused otherwise.
    scope.addHook('onRequest', (request, _reply, done) => {
      request.raw.headers['content-type'] = 'text/plain'
      done()
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
      send(reply, await answerMessage(deps, request)),
    )
    ready()
  })
}

function noteAnswer({ metrics }: WebhookDeps, { query }: WebhookRequest, reply: FastifyReply): void {
  metrics.answers.add({ status: answerStatusOf(reply.statusCode) })
  const wait = query.wait === undefined ? 'usual' : 'asked'
  metrics.answerTimes.observe({ wait }, reply.elapsedTime / 1000)
}

async function answerMessage(deps: WebhookDeps, request: WebhookRequest): Promise<Answer> {
  const receivedAt = deps.clock()
  const webhook = webhookOf(deps, request)
  if (webhook === undefined) return await answerUnknown(deps, request, receivedAt)
  deps.senders.note(webhook.tokenHash, request.ip, receivedAt)
  const span = beginSpan(deps, request, receivedAt)
  const arrival = { webhook, body: request.body ?? '', waitMs: waitOf(request), receivedAt, span }
  try {
    const receipt = (await mayCall(deps, request, webhook))
      ? await receiveAlert(deps, arrival)
      : foreign(request, arrival)
    const answer = await answerAlert(deps, arrival, receipt)
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

/** Whether a public request is traced is not for its sender to say. */
function beginSpan(
  { bus: { tracing }, takesTraces }: WebhookDeps,
  { headers: { [traceHeader]: told } }: WebhookRequest,
  at: number,
): Span | undefined {
  if (tracing === undefined) return undefined
  if (takesTraces && typeof told === 'string') return tracing.follow(told, 'alert.receive', 'server', at)
  return tracing.begin('alert.receive', 'server', at)
}

/** A webhook that is switched off refuses by itself. */
async function mayCall(
  { isTradingview, isOwner }: WebhookDeps,
  { ip, headers }: WebhookRequest,
  { isActive, onlyTradingview, userId }: Webhook,
): Promise<boolean> {
  if (!isActive || !onlyTradingview || isTradingview(ip)) return true
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token !== undefined && (await isOwner(token, userId))
}

function foreign({ ip }: WebhookRequest, { body, receivedAt }: Arrival): Receipt {
  return {
    outcome: 'refused',
    refusal: foreignAddress(ip),
    alertId: newAlertId(receivedAt),
    message: body,
  }
}

async function answerUnknown(deps: WebhookDeps, { ip }: WebhookRequest, now: number): Promise<Answer> {
  const waitMs = await deps.rateLimit.admit(`address:${ip}`, deps.unknownTokensPerMinute, now)
  return refusalAnswer(waitMs > 0 ? tooManyUnknown(waitMs) : unknownWebhook)
}

/** What a request answers that could not be received; on a valid token it still leaves a row in the history. */
async function answerFault(deps: WebhookDeps, error: FastifyError, request: WebhookRequest): Promise<Answer> {
  const refusal = refusalOf(error)
  if (refusal === unavailable) deps.log.error({ err: error }, 'alert not received')
  const receivedAt = deps.clock()
  const webhook = webhookOf(deps, request)
  if (webhook === undefined) return await answerUnknown(deps, request, receivedAt)
  deps.senders.note(webhook.tokenHash, request.ip, receivedAt)
  const arrival = { webhook, body: '', waitMs: undefined, receivedAt }
  const alertId = newAlertId(receivedAt)
  return await answerAlert(deps, arrival, { outcome: 'refused', refusal, alertId, message: '' })
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
