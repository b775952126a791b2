import { ErrorBody } from '@tripline/proto/http/error'
import { KeyView, UpdateKeyBody } from '@tripline/proto/http/key'
import { deleteBot, updateBot } from '@tripline/proto/key-request'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { keyProblems } from '../bot-diagnosis.ts'
import { keyView } from '../domain/key-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'
import { botIdOf, KeyParams } from './bot-id.ts'

const shared = { tags: ['keys'], security: bearer, params: KeyParams }

/** Changes and removes linked exchange accounts. */
export function keyChangeRoutes(api: Api, ask: Ask, access: Access): void {
  updateRoute(api, ask, access)
  deleteRoute(api, ask, access)
}

function updateRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const summary = 'Change label, market type and notifications of an API key; what is left out stays'
  const response = { ...sessionRefusals, 200: KeyView, 404: ErrorBody, 409: ErrorBody }
  const schema = { ...shared, operationId: 'updateKey', summary, body: UpdateKeyBody, response }
  api.put('/api/keys/:id', { onRequest: guard, schema }, async (request) => {
    const { body } = request
    const { sub: userId } = sessionOf(request)
    const bot = await ask(updateBot, {
      userId,
      botId: botIdOf(request),
      label: body.label,
      marketType: body.market_type,
      notifyOnTrade: body.notify_on_trade,
      notifyOnError: body.notify_on_error,
      notifyOnFill: body.notify_on_fill,
    })
    return keyView(bot, (await keyProblems(ask, userId)).get(bot.id))
  })
}

function deleteRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const summary = 'Delete an API key; its history stays, and it trades no more'
  const response = { ...sessionRefusals, 204: z.null().describe('deleted'), 404: ErrorBody }
  api.delete(
    '/api/keys/:id',
    { onRequest: guard, schema: { ...shared, operationId: 'deleteKey', summary, response } },
    async (request, reply) => {
      await ask(deleteBot, { userId: sessionOf(request).sub, botId: botIdOf(request) })
      return reply.code(204).send(null)
    },
  )
}
