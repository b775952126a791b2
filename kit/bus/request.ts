import { inboxes } from '@tripline/proto/permission'
import type { Reply, RequestContract } from '@tripline/proto/request'
import type { Msg } from 'nats'
import { z } from 'zod'
import { RefusedError } from '../refused-error.ts'
import { steadyNow } from '../time/clock.ts'
import type { Bus } from './bus.ts'
import { NobodyThereError } from './bus-request.ts'
import { guard } from './guard.ts'

const restartPatienceMs = 250

const AnyReply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    message: z.string(),
    faults: z.array(z.object({ field: z.string(), message: z.string() })).exactOptional(),
    retryAfterS: z.number().exactOptional(),
  }),
])

/** Sends a request to another service. Returns its value; throws its refusal, or `unavailable` where nobody answers in time. */
export async function sendRequest<Asked extends z.ZodType, Answered extends z.ZodType>(
  bus: Bus,
  contract: RequestContract<Asked, Answered>,
  asked: z.input<Asked>,
  { timeoutMs = bus.patience.requestMs }: { timeoutMs?: number } = {},
): Promise<z.output<Answered>> {
  const reply = AnyReply.parse(await requestReply(bus, contract.subject, asked, timeoutMs))
  if (reply.ok) return contract.answered.parse(reply.value)
  const { code, message, ...more } = reply
  throw new RefusedError(code as RefusedError['code'], message, more)
}

async function requestReply(bus: Bus, subject: string, asked: unknown, timeoutMs: number): Promise<unknown> {
  const payload = JSON.stringify(asked)
  const patienceEnds = steadyNow() + restartPatienceMs
  for (;;) {
    try {
      const reply = await bus.request({ subject, payload, isUrgent: true, timeoutMs })
      return reply.json()
    } catch (error) {
      // A service that restarts is back in a moment.
      if (!(error instanceof NobodyThereError) || steadyNow() > patienceEnds) {
        throw new RefusedError('unavailable', 'The service is not available, please try again', {
          cause: error,
        })
      }
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

/** Serves a request of other services; replicas share the requests. Returns the unsubscribe function. */
export function serve<Asked extends z.ZodType, Answered extends z.ZodType>(
  bus: Bus,
  contract: RequestContract<Asked, Answered>,
  decide: (asked: z.output<Asked>) => Promise<z.input<Answered>>,
): () => void {
  const subscription = bus.connection.subscribe(contract.subject, {
    queue: bus.user,
    callback: (error, message) => {
      if (error)
        return bus.log.error({ err: error, subject: contract.subject }, 'subscription to requests failed')
      // A requester may name any subject for the reply, also one that it may not publish to itself.
      if (!message.reply?.startsWith(inboxes)) return
      guard(bus, { subscription: kindOf(contract.subject) }, async () =>
        replyTo(bus, contract, message, decide),
      )
    },
  })
  return () => subscription.unsubscribe()
}

async function replyTo<Asked extends z.ZodType, Answered extends z.ZodType>(
  bus: Bus,
  contract: RequestContract<Asked, Answered>,
  message: Msg,
  decide: (asked: z.output<Asked>) => Promise<z.input<Answered>>,
): Promise<void> {
  const from = performance.now()
  const reply = await decideReply(bus, contract, message, decide)
  // A caller that has the answer has what was published on the way to it, too.
  bus.outbox.sendAll()
  message.respond(JSON.stringify(reply))
  const subject = kindOf(contract.subject)
  bus.metrics?.answers.observe({ subject, outcome: outcomeOf(reply) }, (performance.now() - from) / 1000)
}

/** Of four tokens the second says who is asked, and not for what. */
function kindOf(subject: string): string {
  const tokens = subject.split('.')
  return tokens.length === 4 ? tokens.with(1, '*').join('.') : subject
}

function outcomeOf(reply: Reply<unknown>): 'answered' | 'refused' | 'failed' {
  if (reply.ok) return 'answered'
  return reply.code === 'unavailable' ? 'failed' : 'refused'
}

async function decideReply<Asked extends z.ZodType, Answered extends z.ZodType>(
  bus: Bus,
  contract: RequestContract<Asked, Answered>,
  message: Msg,
  decide: (asked: z.output<Asked>) => Promise<z.input<Answered>>,
): Promise<Reply<unknown>> {
  try {
    const asked = contract.asked.safeParse(message.json())
    if (asked.success) return { ok: true, value: await decide(asked.data) }
    const faults = asked.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
    return { ok: false, code: 'invalid_request', message: 'The request is not valid', faults }
  } catch (error) {
    if (error instanceof RefusedError) {
      const { code, message, faults, retryAfterS } = error
      return { ok: false, code, message, ...(faults && { faults }), ...(retryAfterS && { retryAfterS }) }
    }
    bus.log.error({ err: error, subject: contract.subject }, 'request failed')
    return { ok: false, code: 'unavailable', message: 'The service could not answer, please try again' }
  }
}
