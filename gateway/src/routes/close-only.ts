import { ErrorBody } from '@tripline/proto/http/error'
import { CloseOnlyAddressView, RegenerateWebhookBody } from '@tripline/proto/http/key'
import {
  createCloseOnly,
  deleteCloseOnly,
  getCloseOnly,
  regenerateCloseOnly,
} from '@tripline/proto/key-request'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { webhookUrl } from '../domain/key-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'
import { botIdOf, KeyParams } from './bot-id.ts'

const path = '/api/keys/:id/close-only'
const shared = { tags: ['keys'], security: bearer, params: KeyParams }
const refusals = { ...sessionRefusals, 404: ErrorBody }

/** The address of an API key at which alerts may only close. */
export function closeOnlyRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access, publicUrl: string): void {
  const view = (token: string): CloseOnlyAddressView => ({ webhook_url: webhookUrl(publicUrl, token) })
  const idsOf = (request: Parameters<typeof sessionOf>[0] & { params: { id: string } }) => ({
    userId: sessionOf(request).sub,
    botId: botIdOf(request),
  })
  const shown = { ...refusals, 200: CloseOnlyAddressView }
  const getting = {
    ...shared,
    operationId: 'getCloseOnly',
    summary: 'The close-only address of an API key',
    response: shown,
  }
  api.get(path, { onRequest: guard, schema: getting }, async (request) => {
    const { token } = await ask(getCloseOnly, idsOf(request))
    return token === null ? { webhook_url: null } : view(token)
  })
  const creating = {
    ...shared,
    operationId: 'createCloseOnly',
    summary:
      'Give an API key a close-only address: its alerts close positions and cancel entries, nothing else',
    response: { ...refusals, 201: CloseOnlyAddressView, 409: ErrorBody },
  }
  api.post(path, { onRequest: guard, schema: creating }, async (request, reply) =>
    reply.code(201).send(view((await ask(createCloseOnly, idsOf(request))).token)),
  )
  const replacing = {
    ...shared,
    operationId: 'regenerateCloseOnly',
    summary: 'Give an API key a new close-only address; the old one is dead at once',
    body: RegenerateWebhookBody,
    response: shown,
  }
  api.post(`${path}/regenerate`, { onRequest: guard, schema: replacing }, async (request) =>
    view((await ask(regenerateCloseOnly, idsOf(request))).token),
  )
  const removing = {
    ...shared,
    operationId: 'deleteCloseOnly',
    summary: 'Take the close-only address of an API key away; it is dead at once',
    response: { ...refusals, 204: z.null().describe('taken away') },
  }
  api.delete(path, { onRequest: guard, schema: removing }, async (request, reply) => {
    await ask(deleteCloseOnly, idsOf(request))
    return reply.code(204).send(null)
  })
}
