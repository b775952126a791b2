import { z } from 'zod'
import { receiveWindowMs } from '../../../domain/order/doubt.ts'
import { causeOf, RefusalError } from '../../http/refusal.ts'
import { noteDrift } from '../../read/drift.ts'
import { readFrom, spare, Text, Whole } from '../../read/read-fields.ts'
import { type LiveSocket, openLiveSocket } from '../../socket/live-socket.ts'
import type { VenueOptions } from '../../venue.ts'
import type { Endpoint } from '../endpoint.ts'
import { signParams } from '../signer.ts'
import { eventIn } from './event-in.ts'
import type { StreamListener } from './following.ts'
import { readListStatus } from './list-status.ts'
import { readSpotAccountUpdate, unclearUpdate } from './spot-account-update.ts'
import { type Coins, readSpotUpdate } from './spot-update.ts'

const Event = z.looseObject({ e: Text, E: spare('E', Whole, 0) })
// An event stands in a frame of its subscription, or by itself.
const Frame = z.looseObject({
  id: spare('id', Text, undefined),
  status: spare('status', Whole, undefined),
  error: spare('error', z.object({ code: Whole, msg: spare('msg', Text, 'no word') }), undefined),
  e: z.unknown().optional(),
  event: Event.optional(),
})
type Frame = z.output<typeof Frame>
type Event = z.output<typeof Event>

const source = { venue: 'binance-spot', call: 'ws' } as const

/** Messages by which the venue itself ends a stream. */
const endings = ['eventStreamTerminated', 'serverShutdown']

/** Messages that change balances, or the free part of them, and say no more of them. */
const moves = ['balanceUpdate', 'externalLockUpdate']

const subscription = 'subscribe'

/** The private stream of a spot account, which is a subscription on a connection for requests. */
export function openSpotStream(
  options: VenueOptions,
  endpoint: Endpoint,
  coinsOf: (symbol: string) => Coins | undefined,
  listener: StreamListener,
): LiveSocket {
  let answered: ((frame: Frame) => void) | undefined
  const receive = (frame: Frame): void => {
    if (frame.id === subscription) answered?.(frame)
    const event = frame.e === undefined ? frame.event : Event.parse(frame)
    if (event === undefined) return
    if (endings.includes(event.e)) socket.renew(event.e)
    else receiveEvent(event, coinsOf, listener)
  }
  const socket = openLiveSocket({
    address: async () => {
      endpoint.refuseWhileBanned()
      return `${options.streamUrl}/ws-api/v3`
    },
    greet: async (send) => {
      const { promise, resolve } = Promise.withResolvers<Frame>()
      answered = resolve
      send(subscribeText(options, endpoint))
      await accepted(await promise, endpoint)
    },
    receive: (text) => {
      try {
        receive(readFrom(source, Frame, eventIn(text)))
      } catch (error) {
        options.log.warn({ cause: causeOf(error) }, 'unreadable event on a private stream')
        listener.onGap()
      }
    },
    onLive: listener.onLive,
    onDown: listener.onDown,
    onState: options.onStream,
    log: options.log,
  })
  return socket
}

function receiveEvent(
  event: Event,
  coinsOf: (symbol: string) => Coins | undefined,
  { onOrder, onList, onAccount }: StreamListener,
): void {
  switch (event.e) {
    case 'executionReport': {
      const update = readSpotUpdate(event, coinsOf)
      onOrder(update)
      if (coinsOf(update.symbol) === undefined) onAccount(() => unclearUpdate(event.E))
      break
    }
    case 'outboundAccountPosition':
      onAccount(() => readSpotAccountUpdate(event))
      break
    case 'listStatus': {
      const list = readListStatus(event)
      if (list !== undefined) onList(list)
      break
    }
    default:
      if (!moves.includes(event.e)) noteDrift(source, 'e', event.e, event)
      onAccount(() => unclearUpdate(event.E))
  }
}

function subscribeText({ credentials }: VenueOptions, endpoint: Endpoint): string {
  const params = signParams(credentials, { timestamp: endpoint.now(), recvWindow: receiveWindowMs })
  return JSON.stringify({ id: subscription, method: 'userDataStream.subscribe.signature', params })
}

/** Throws where the subscription was refused; the next one is then signed by a clock that was measured anew. */
async function accepted({ status = 0, error }: Frame, endpoint: Endpoint): Promise<void> {
  if (status === 200) return
  await endpoint.measureClock()
  throw new RefusalError({ status, code: error?.code ?? 0, text: error?.msg ?? 'no word' })
}
