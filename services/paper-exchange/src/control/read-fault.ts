import { z } from 'zod'
import type { Fault } from '../domain/fault.ts'
import { parseFixed } from '../domain/fixed.ts'

const Milliseconds = z.number().int().min(0).max(600_000)
const Status = z.number().int().min(400).max(599)
const RetryAfter = z.number().int().min(1).max(600).optional()

const RATIO_PLACES = 6
const ONE = 1_000_000n

const Ratio = z.union([z.string(), z.number()]).transform((given, context) => {
  const ratio = parseFixed(String(given), RATIO_PLACES)
  if (ratio !== undefined && ratio > 0n && ratio < ONE) return ratio
  context.addIssue(`ratio must be between 0 and 1 with at most ${RATIO_PLACES} places`)
  return z.NEVER
})

const strikes = {
  match: z
    .strictObject({
      wire: z.string().optional(),
      transport: z.enum(['rest', 'ws']).optional(),
      method: z.string().optional(),
      path: z.string().startsWith('/').optional(),
      apiKey: z.string().optional(),
      symbol: z.string().optional(),
    })
    .default({}),
  count: z.number().int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().optional(),
}

const plain = <Name extends string>(action: Name) => z.strictObject({ action: z.literal(action), ...strikes })
const timed = <Name extends string>(action: Name, ms = Milliseconds) =>
  z.strictObject({ action: z.literal(action), ms, ...strikes })
const answered = <Name extends string>(action: Name) =>
  z.strictObject({ action: z.literal(action), status: Status, retryAfterS: RetryAfter, ...strikes })

const FaultBody = z.discriminatedUnion('action', [
  plain('drop'),
  plain('accept-then-drop'),
  timed('delay'),
  timed('accept-then-delay'),
  timed('stall-body'),
  z
    .strictObject({
      action: z.literal('read-lag'),
      ms: Milliseconds.optional(),
      upToMs: Milliseconds.optional(),
      ...strikes,
    })
    .refine(({ ms, upToMs }) => (ms === undefined) !== (upToMs === undefined), 'either ms or upToMs'),
  timed('clock-skew', z.number().int().min(-600_000).max(600_000)),
  answered('status'),
  answered('accept-then-status'),
  z.strictObject({
    action: z.literal('reject'),
    code: z.number().int(),
    message: z.string().optional(),
    ...strikes,
  }),
  plain('duplicate-events'),
  plain('reorder-events'),
  plain('silent-stream'),
  plain('disconnect'),
  plain('expire-listen-key'),
  plain('stuck-trigger'),
  plain('reject-at-trigger'),
  z.strictObject({
    action: z.literal('partial-fill'),
    ratio: Ratio,
    rest: z.literal('rejected').optional(),
    ...strikes,
  }),
])

const FAULT_ACTIONS: readonly string[] = FaultBody.options.map((option) => option.shape.action.value)

/** The fault that a body describes, or why it is none. */
export function readFault(body: unknown): Fault | { fault: string } {
  const action = z.looseObject({ action: z.string() }).safeParse(body)
  if (!action.success || !FAULT_ACTIONS.includes(action.data.action)) {
    return { fault: `action must be one of ${FAULT_ACTIONS.join(', ')}` }
  }
  const read = FaultBody.safeParse(body)
  return read.success ? read.data : { fault: z.prettifyError(read.error) }
}
