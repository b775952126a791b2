import type { Order, OrderRequest } from '../../domain/order.ts'
import { errorBody, VenueError } from '../binance/errors.ts'
import { order, type Part, type Result, type Route, type SignedCall } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { cancelAs } from './cancel-name.ts'
import { newClientId } from './client-id.ts'
import { formatCanceled, formatPlaced } from './format-order.ts'
import { cancelable, findOrder } from './order-routes.ts'
import { type Detail, ORDER_PARAMS, readDetail, readOrder } from './read-order.ts'
import { needWord, readClientId } from './read-params.ts'
import { isFilterFailure, refusalError } from './refusals.ts'

const MODES: Readonly<Record<string, 'stop' | 'goOn'>> = { STOP_ON_FAILURE: 'stop', ALLOW_FAILURE: 'goOn' }
const NAMES = { id: 'cancelOrderId', clientId: 'cancelOrigClientOrderId' }

/** The outcome of one half of a replacement. */
type Half<Value> = Readonly<{ value: Value }> | Readonly<{ error: VenueError }>

// Filters are looked at before anything is canceled; everything else is met after.
function replace(call: SignedCall): Result {
  const { exchange, entry, params, now } = call
  const mode = needWord(params, 'cancelReplaceMode', MODES)
  const request = readOrder(params)
  const detail = readDetail(params, request.words?.['type'])
  const refusal = exchange.check(entry, request, now)
  if (refusal && isFilterFailure(refusal)) throw refusalError(refusal, request)
  const canceled = attempt(() => cancelOld(call))
  const stops = 'error' in canceled && mode === 'stop'
  const placed = stops ? undefined : attempt(() => placeNew(call, request, detail))
  const parts = [partOf(params, canceled), ...(placed ? [partOf(params, placed)] : [])]
  if (!placed || 'error' in canceled || 'error' in placed)
    return { body: null, parts, failure: replacementError(canceled, placed) }
  const body = {
    cancelResult: 'SUCCESS',
    newOrderResult: 'SUCCESS',
    cancelResponse: canceled.value.body,
    newOrderResponse: placed.value.body,
  }
  return { body, parts: parts.slice(1) }
}

// Returns the journal's part for one half.
function partOf(params: Params, half: Half<Done>): Part {
  return 'value' in half ? { params, orderId: half.value.order.id } : { params, code: half.error.code }
}

function cancelOld({ exchange, entry, params, now }: SignedCall): Done {
  const cancelId = readClientId(params, 'cancelNewClientOrderId') ?? newClientId()
  const found = cancelable(findOrder(entry, params, NAMES), params)
  const order = cancelAs(exchange, entry, found, cancelId, now)
  return { order, body: formatCanceled(order, cancelId) }
}

type Done = Readonly<{ order: Order; body: unknown }>

function placeNew({ exchange, entry, now }: SignedCall, request: OrderRequest, detail: Detail): Done {
  const placed = exchange.place(entry, request, now)
  if ('refusal' in placed) throw refusalError(placed.refusal, request)
  return { order: placed.order, body: formatPlaced(placed.order, placed.fills, detail) }
}

// A parameter that is missing or malformed ends the request as any other; only the engine's refusals are halves.
function attempt<Value>(run: () => Value): Half<Value> {
  try {
    return { value: run() }
  } catch (error) {
    if (
      error instanceof VenueError &&
      (error.code === -2010 || error.code === -2011 || error.code === -1013)
    ) {
      return { error }
    }
    throw error
  }
}

function replacementError(canceled: Half<Done>, placed: Half<Done> | undefined): VenueError {
  const partly = 'value' in canceled || (placed !== undefined && 'value' in placed)
  const data = {
    cancelResult: resultOf(canceled),
    newOrderResult: placed ? resultOf(placed) : 'NOT_ATTEMPTED',
    cancelResponse: 'value' in canceled ? canceled.value.body : errorBody(canceled.error),
    newOrderResponse: placed ? ('value' in placed ? placed.value.body : errorBody(placed.error)) : null,
  }
  if (partly) return new VenueError(-2021, 'Order cancel-replace partially failed.', { status: 409, data })
  return new VenueError(-2022, 'Order cancel-replace failed.', { data })
}

function resultOf(half: Half<unknown>): string {
  return 'value' in half ? 'SUCCESS' : 'FAILURE'
}

const OWN_PARAMS = [
  'cancelReplaceMode',
  'cancelOrderId',
  'cancelOrigClientOrderId',
  'cancelNewClientOrderId',
  'cancelRestrictions',
]

/** An order in place of another. */
export const replaceRoutes: ReadonlyArray<readonly [string, Route]> = [
  [
    'POST /api/v3/order/cancelReplace',
    { ...order('amend', 1, 1, replace), reads: [...ORDER_PARAMS, ...OWN_PARAMS] },
  ],
]
