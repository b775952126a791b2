import { limitConcurrencyOfEach } from '@tripline/kit/concurrency-limit'
import { RefusedError } from '@tripline/kit/refused-error'
import type { AlertBlock } from '@tripline/proto/alert'
import { planBlocks } from '@tripline/proto/executor-request'
import { PreviewBody, PreviewView } from '@tripline/proto/http/preview'
import type { UserId } from '@tripline/proto/id'
import { readAlertMessage } from '@tripline/proto/intake-request'
import { noteBlocks } from '@tripline/proto/language/notation'
import type { BlockPlan } from '@tripline/proto/plan'
import { partitionOf } from '@tripline/proto/subject'
import type { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

// A message of 64 KiB, with every character of it escaped.
const bodyLimit = 512 * 1024
// A plan asks the exchange, which may take as long as it does for an order.
const planTimeoutMs = 6000
// A message that is being written is previewed anew while the preview before it may still run.
const limits = {
  atOnce: 1,
  waiting: 1,
  refusal: 'One message is previewed at a time, please wait for its preview',
}

/** The route that previews a message without executing it. */
export function commandRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const limitOf = limitConcurrencyOfEach(limits)
  const response = { ...sessionRefusals, 200: PreviewView }
  const schema = {
    tags: ['commands'],
    operationId: 'previewCommands',
    summary: 'Check a message and show its effect now, without trading',
    security: bearer,
    body: PreviewBody,
    response,
  }
  api.post('/api/commands/preview', { onRequest: guard, bodyLimit, schema }, async (request) => {
    const userId = sessionOf(request).sub
    return await limitOf(userId)(async () => await previewOf(ask, userId, request.body))
  })
}

async function previewOf(
  ask: Ask,
  userId: UserId,
  body: z.output<typeof PreviewBody>,
): Promise<z.input<typeof PreviewView>> {
  const { message, alert_format: alertFormat } = body
  const { blocks, diagnostics } = await ask(readAlertMessage, { userId, message, alertFormat })
  const plan = blocks.length === 0 ? [] : await planOf(ask, userId, blocks)
  return { tree: noteBlocks(blocks), diagnostics, plan }
}

/** A plan that cannot be had leaves the rest of the answer as it is. */
async function planOf(ask: Ask, userId: UserId, blocks: AlertBlock[]): Promise<BlockPlan[]> {
  try {
    const asked = { userId, blocks }
    return (await ask(planBlocks(partitionOf(userId)), asked, { timeoutMs: planTimeoutMs })).blocks
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return blocks.map(({ label, symbol }) => ({
      label,
      symbol,
      exchange: null,
      market: null,
      outcome: 'unknown',
      commands: [],
      error_code: null,
      error: 'The executor cannot be asked now, please try again',
    }))
  }
}
