import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { JournalEntry } from '@tripline/testkit/paper-control'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan } from '../../src/domain/order/order.ts'
import { openBybitLinear } from '../../src/venue/bybit/linear.ts'
import { openBybitSpot } from '../../src/venue/bybit/spot.ts'
import type { OpenedVenue } from '../../src/venue/venue.ts'
import { type BybitRig, buildBybitRig, planOf, refOf } from './bybit-rig.ts'

let rig: BybitRig
beforeAll(async () => {
  rig = await buildBybitRig()
})
afterEach(async () => await rig.paper.clearFaults())
afterAll(async () => await rig.stop())

const match = { wire: 'bybit', path: '/v5/order/create', transport: 'ws' }

async function requestsOf({ clientOrderId }: OrderPlan): Promise<JournalEntry[]> {
  return (await rig.paper.journal()).filter((entry) => entry.clientOrderId === clientOrderId)
}

/** Opens a client whose socket for orders is good: its first orders open it, and go over HTTP. */
async function openOverSocket(market: 'linear' | 'spot'): Promise<OpenedVenue> {
  const open = market === 'linear' ? openBybitLinear : openBybitSpot
  const ordersUrl = `${rig.paper.url.replace('http', 'ws')}/bybit`
  const opened = await open({ ...rig.options, ordersUrl })
  await untilOverSocket(opened)
  return opened
}

async function untilOverSocket({ venue }: OpenedVenue): Promise<void> {
  const isOverSocket = async (): Promise<boolean> => {
    const order = planOf()
    await venue.place(order, () => undefined)
    return (await requestsOf(order))[0]?.transport === 'ws'
  }
  await waitFor(isOverSocket, { deadlineMs: 30_000 })
}

describe.each(['linear', 'spot'] as const)('an order of Bybit %s over a socket', (market) => {
  let opened: OpenedVenue
  beforeAll(async () => {
    opened = await openOverSocket(market)
  })
  afterAll(() => opened.stop?.())

  /** Places an order, and reports what became of it, what the exchange received of it, and whether it is there. */
  async function placeOne() {
    const order = planOf()
    const { venue } = opened
    const placement = await venue.place(order, () => undefined)
    return { placement, received: await requestsOf(order), found: await venue.lookUp(refOf(order)) }
  }

  test('is placed once', async () => {
    const { placement, received } = await placeOne()
    expect(placement).toMatchObject({ outcome: 'done', order: { status: 'filled' } })
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
  })

  test('that is refused is refused by the same table', async () => {
    await rig.paper.addFault({ match, action: 'reject', code: 110007, message: 'ab not enough', count: 1 })
    const { placement, received } = await placeOne()
    expect(placement).toEqual({
      outcome: 'refused',
      code: 'E506',
      error: 'The exchange refused: ab not enough (110007)',
    })
    expect(received).toHaveLength(1)
  })

  test('goes over HTTP where the socket is about to restart, which is opened anew', async () => {
    await rig.paper.addFault({ match, action: 'reject', code: 10019, message: 'restarting', count: 1 })
    const { placement, received } = await placeOne()
    expect(placement).toMatchObject({ outcome: 'done', order: { status: 'filled' } })
    expect(received).toMatchObject([
      { transport: 'ws', outcome: 'rejected' },
      { transport: 'rest', outcome: 'accepted' },
    ])
    await untilOverSocket(opened)
  })

  test('that the exchange loses is unknown, and not sent again', async () => {
    await rig.paper.addFault({ match, action: 'drop', count: 1 })
    const { placement, received, found } = await placeOne()
    expect(placement).toEqual({ outcome: 'unknown', cause: 'no answer within 4000 ms' })
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'dropped' }])
    expect(found).toEqual({ outcome: 'absent' })
    await untilOverSocket(opened)
  })

  test('is unknown after a lost answer, and there once', async () => {
    await rig.paper.addFault({ match, action: 'accept-then-drop', count: 1 })
    const { placement, received, found } = await placeOne()
    expect(placement.outcome).toBe('unknown')
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
    expect(found).toMatchObject({ outcome: 'found', order: { status: 'filled' } })
    await untilOverSocket(opened)
  })

  test('is done after a late answer, and there once', async () => {
    await rig.paper.addFault({ match, action: 'accept-then-delay', ms: 700, count: 1 })
    const { placement, received } = await placeOne()
    expect(placement.outcome).toBe('done')
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
  })

  test('is unknown where the exchange hangs up instead, and the next one goes another way', async () => {
    await rig.paper.addFault({ match, action: 'disconnect', count: 1 })
    const { placement, received, found } = await placeOne()
    expect(placement).toEqual({ outcome: 'unknown', cause: 'ConnectionLostError' })
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'dropped' }])
    expect(found).toEqual({ outcome: 'absent' })
    const next = await placeOne()
    expect(next.placement.outcome).toBe('done')
    expect(next.received).toMatchObject([{ outcome: 'accepted' }])
    await untilOverSocket(opened)
  })
})

test('an account whose socket has ended places over HTTP', async () => {
  const opened = await openOverSocket('linear')
  opened.stop?.()
  const order = planOf()
  expect(await opened.venue.place(order, () => undefined)).toMatchObject({ outcome: 'done' })
  expect(await requestsOf(order)).toMatchObject([{ transport: 'rest', outcome: 'accepted' }])
})
