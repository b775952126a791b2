import { limitConcurrencyOfEach } from '@tripline/kit/concurrency-limit'
import { ErrorBody } from '@tripline/proto/http/error'
import { testBot } from '@tripline/proto/key-request'
import { KeyTest } from '@tripline/proto/key-test'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'
import { botIdOf, KeyParams } from './bot-id.ts'

// The executor asks the exchange several times, for each of which it has seconds.
const testTimeoutMs = 14_000
const limits = {
  atOnce: 1,
  waiting: 1,
  refusal: 'One API key is tested at a time, please wait for the result',
}

/** Tries an API key at its exchange. */
export function keyTestRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const limitOf = limitConcurrencyOfEach(limits)
  const schema = {
    tags: ['keys'],
    operationId: 'testKey',
    summary: 'Try an API key at its exchange; 200 whenever the test ran',
    security: bearer,
    params: KeyParams,
    response: { ...sessionRefusals, 200: KeyTest, 404: ErrorBody },
  }
  api.post('/api/keys/:id/test', { onRequest: guard, schema }, async (request) => {
    const { sub: userId } = sessionOf(request)
    const asked = { userId, botId: botIdOf(request) }
    return await limitOf(userId)(async () => await ask(testBot, asked, { timeoutMs: testTimeoutMs }))
  })
}
