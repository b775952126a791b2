import { ErrorBody } from '@tripline/proto/http/error'
import { KeyTradingView, TradingStateView, UpdateKeyTradingBody } from '@tripline/proto/http/key'
import {
  getTrading,
  getUserTrading,
  type Trading,
  updateTrading,
  updateUserTrading,
} from '@tripline/proto/key-request'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'
import { botIdOf, KeyParams } from './bot-id.ts'

const shared = { tags: ['trading'], security: bearer }

/** Routes of how an API key may trade, and of the state that limits all of them. */
export function tradingRoutes(api: Api, ask: Ask, access: Access): void {
  keyTradingRoutes(api, ask, access)
  tradingStateRoutes(api, ask, access)
}

function keyTradingRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = { ...sessionRefusals, 200: KeyTradingView, 404: ErrorBody }
  const both = { ...shared, params: KeyParams, response }
  const path = '/api/keys/:id/trading'
  api.get(
    path,
    {
      onRequest: guard,
      schema: { ...both, operationId: 'getKeyTrading', summary: 'How an API key may trade' },
    },
    async (request) =>
      view(await ask(getTrading, { userId: sessionOf(request).sub, botId: botIdOf(request) })),
  )
  const summary = 'Change how an API key may trade; what is left out stays, null takes the limit away'
  api.put(
    path,
    {
      onRequest: guard,
      schema: { ...both, operationId: 'updateKeyTrading', summary, body: UpdateKeyTradingBody },
    },
    async (request) => {
      const { state, max_entry_age_s: maxEntryAgeS, exit_retry_s: exitRetryS } = request.body
      const { max_order_value: maxOrderValue } = request.body
      const ids = { userId: sessionOf(request).sub, botId: botIdOf(request) }
      return view(await ask(updateTrading, { ...ids, state, maxEntryAgeS, exitRetryS, maxOrderValue }))
    },
  )
}

function tradingStateRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = { ...sessionRefusals, 200: TradingStateView }
  const path = '/api/trading-state'
  api.get(
    path,
    {
      onRequest: guard,
      schema: {
        ...shared,
        operationId: 'getTradingState',
        summary: 'The limits that apply to all API keys',
        response,
      },
    },
    async (request) => await ask(getUserTrading, { userId: sessionOf(request).sub }),
  )
  const summary = 'Pause (reducing), stop (halted) or resume (active) all API keys'
  api.put(
    path,
    {
      onRequest: guard,
      schema: { ...shared, operationId: 'updateTradingState', summary, body: TradingStateView, response },
    },
    async (request) =>
      await ask(updateUserTrading, { userId: sessionOf(request).sub, state: request.body.state }),
  )
}

function view({ state, maxEntryAgeS, exitRetryS, maxOrderValue }: Trading): KeyTradingView {
  return {
    state,
    max_entry_age_s: maxEntryAgeS,
    exit_retry_s: exitRetryS,
    max_order_value: maxOrderValue,
  }
}
