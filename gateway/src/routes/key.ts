import { credentialProblem } from '@tripline/kit/crypto/credential-problem'
import { type SealingKey, seal } from '@tripline/kit/crypto/seal'
import { RefusedError } from '@tripline/kit/refused-error'
import { takesPrivateKeys } from '@tripline/proto/exchange'
import { ErrorBody } from '@tripline/proto/http/error'
import { CreateKeyBody, KeyView } from '@tripline/proto/http/key'
import { BotId, type UserId } from '@tripline/proto/id'
import { createBot, listBots, resetBot } from '@tripline/proto/key-request'
import { credentialContext } from '@tripline/proto/user-config'
import { v7 as uuidV7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { keyProblems } from '../bot-diagnosis.ts'
import { keyView } from '../domain/key-view.ts'
import { maskedKey } from '../domain/masked-key.ts'
import { credentialsOf, newBot } from '../domain/new-bot.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'
import { botIdOf, KeyParams } from './bot-id.ts'
import { keyChangeRoutes } from './key-change.ts'
import { keyTestRoutes } from './key-test.ts'

const tags = ['keys']

// For a Paper bot keys asks the executor in its turn, which takes a second way over the bus.
const paperTimeoutMs = 6000

/** The key that credentials are sealed to, and whether accounts at OKX can be linked. */
interface LinkOptions {
  sealingKey: SealingKey
  isOkxOn: boolean
}

/** The linked exchange accounts. */
export function keyRoutes(api: Api, ask: Ask, access: Access, options: LinkOptions): void {
  listRoute(api, ask, access)
  createRoute(api, ask, access, options)
  resetRoute(api, ask, access)
  keyChangeRoutes(api, ask, access)
  keyTestRoutes(api, ask, access)
}

function listRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = { ...sessionRefusals, 200: z.array(KeyView) }
  api.get(
    '/api/keys',
    {
      onRequest: guard,
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'All API keys, oldest first',
        security: bearer,
        response,
      },
    },
    async (request) => {
      const { sub: userId } = sessionOf(request)
      const [{ bots }, problems] = await Promise.all([ask(listBots, { userId }), keyProblems(ask, userId)])
      return bots.map((bot) => keyView(bot, problems.get(bot.id)))
    },
  )
}

function createRoute(api: Api, ask: Ask, { guard, sessionOf }: Access, options: LinkOptions): void {
  const response = { ...sessionRefusals, 201: KeyView, 409: ErrorBody }
  const schema = {
    tags,
    operationId: 'createKey',
    summary: 'Add an API key',
    security: bearer,
    body: CreateKeyBody,
    response,
  }
  api.post('/api/keys', { onRequest: guard, schema }, async (request, reply) => {
    const { sub: userId } = sessionOf(request)
    const botId = BotId.parse(uuidV7())
    if (request.body.exchange === 'okx' && !options.isOkxOn) throw notOffered()
    const credentials = sealedCredentials(options.sealingKey, userId, botId, request.body)
    const asked = { userId, bot: newBot(botId, request.body), credentials }
    const bot = await ask(createBot, asked, { timeoutMs: paperTimeoutMs })
    // Credentials that are of no use have been refused above.
    return reply.code(201).send(keyView(bot, undefined))
  })
}

function resetRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = {
    ...sessionRefusals,
    200: z.object({ message: z.string() }),
    404: ErrorBody,
    409: ErrorBody,
  }
  const schema = {
    tags,
    operationId: 'resetKey',
    summary: 'Give a Paper account its opening balance back; its orders and positions are gone',
    security: bearer,
    params: KeyParams,
    response,
  }
  api.post('/api/keys/:id/reset', { onRequest: guard, schema }, async (request) => {
    const asked = { userId: sessionOf(request).sub, botId: botIdOf(request) }
    await ask(resetBot, asked, { timeoutMs: paperTimeoutMs })
    return { message: 'The Paper account holds its opening balance again' }
  })
}

function notOffered(): RefusedError {
  const message = 'OKX is coming soon'
  return new RefusedError('invalid_request', message, { faults: [{ field: 'exchange', message }] })
}

/** From here on nobody but the executor can read the credentials. */
function sealedCredentials(sealingKey: SealingKey, userId: UserId, botId: BotId, body: CreateKeyBody) {
  const given = credentialsOf(body)
  if ('missing' in given) {
    throw new RefusedError('invalid_request', 'API credentials are required', { faults: given.missing })
  }
  if (given.credentials === null) return null
  const problem = credentialProblem(given.credentials, takesPrivateKeys(body.exchange))
  if (problem !== undefined) throw new RefusedError('invalid_request', problem.message, { faults: [problem] })
  const context = credentialContext({ userId, botId, exchange: body.exchange, isTestnet: body.is_testnet })
  return {
    sealed: seal(sealingKey, JSON.stringify(given.credentials), context),
    apiKeyPreview: maskedKey(given.credentials.apiKey),
  }
}
