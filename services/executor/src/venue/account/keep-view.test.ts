import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import type { ClientOrderId } from '@tripline/proto/id'
import type { ViewedPosition } from '../../domain/account/view.ts'
import type { OrderPlan } from '../../domain/order/order.ts'
import type { AccountListener } from './account-listener.ts'
import { createSemaphore } from './account-slots.ts'
import { openLiveView } from './live-view.ts'
import type { OrderListener } from './order-updates.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const long = (quantity: string): ViewedPosition => ({
  symbol: 'BTCUSDT',
  side: 'both',
  quantity,
  entryPrice: '60000',
})

/** An account whose stream is there at once, and reports nothing. */
function account(places = 1) {
  const seen = {
    held: [long('0.1')],
    asked: 0,
    renewed: 0,
    stopped: 0,
    mayRead: true,
    isAlive: true,
    isReadable: true,
    changedAt: undefined as number | undefined,
  }
  const room = createSemaphore(places)
  let listener: AccountListener | undefined
  let publisher: OrderListener | undefined
  const view = openLiveView({
    room,
    subscribe: (update) => {
      listener = update
      listener.onLive()
      return {
        ping: () => undefined,
        verifiedUntil: () => (seen.isAlive ? performance.now() : undefined),
        renew: () => {
          seen.renewed++
          update.onDown()
          update.onLive()
        },
        stop: () => {
          seen.stopped++
        },
      }
    },
    listen: (listener) => {
      publisher = listener
      return () => undefined
    },
    shown: () => undefined,
    ask: async () => {
      seen.asked++
      return {
        answers: seen.asked,
        account: seen.isReadable ? { wallets: new Map(), positions: seen.held } : undefined,
        changedAt: seen.changedAt,
      }
    },
    venueNow: () => performance.now(),
    mayRead: () => seen.mayRead,
    refreshMore: async () => undefined,
    onSettings: () => undefined,
  })
  const quantity = (): string | undefined => view.positions('BTCUSDT')?.[0]?.quantity
  return { view, seen, quantity, room, listener: () => there(listener), publisher: () => there(publisher) }
}

function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the account is not in use')
  return value
}

const pass = async (seconds: number) => await jest.advanceTimersByTimeAsync(seconds * 1000)

test('an account is known once it was read a second after its stream began', async () => {
  const { view, seen, quantity } = account()
  await pass(60)
  expect(seen.asked).toBe(0)
  view.use()
  await pass(1)
  expect(quantity()).toBeUndefined()
  await pass(0.1)
  expect(quantity()).toBe('0.1')
})

test('it stays known by a reading now and then, and is let go a quarter of an hour after its last use', async () => {
  const { view, seen, quantity, room } = account()
  view.use()
  for (let minute = 0; minute < 14; minute++) {
    await pass(60)
    expect(quantity()).toBe('0.1')
  }
  expect(seen.asked).toBeLessThan(20)
  expect(room.acquire()).toBe(false)
  await pass(120)
  expect([quantity(), seen.stopped, room.acquire()]).toEqual([undefined, 1, true])
  const { asked } = seen
  await pass(600)
  expect(seen.asked).toBe(asked)
})

test('a stream that does not report a change that a reading shows is made anew', async () => {
  const { view, seen, quantity } = account()
  view.use()
  await pass(10)
  seen.held = [long('0.3')]
  await pass(60)
  expect(seen.renewed).toBe(1)
  expect(quantity()).toBe('0.3')
})

test('a stream that is found out by a reading that somebody asked for is made anew too', async () => {
  const { view, seen, quantity } = account()
  view.use()
  await pass(10)
  seen.held = [long('0.3')]
  await view.read(false)
  expect(quantity()).toBeUndefined()
  expect(seen.renewed).toBe(1)
  await pass(10)
  expect(quantity()).toBe('0.3')
})

test('a reading that shows an order that nobody reported yet is no evidence against the stream', async () => {
  const { view, seen, quantity, publisher } = account()
  view.use()
  await pass(10)
  publisher().onSending({ clientOrderId: 'own' as ClientOrderId, symbol: 'BTCUSDT' } as OrderPlan)
  seen.held = [long('0.3')]
  await view.read(false)
  expect([quantity(), seen.renewed]).toEqual([undefined, 0])
  publisher().onRefusal('own')
  await pass(10)
  expect(seen.renewed).toBe(1)
})

test('a reading that lacks a fill of the stream is repeated, however little older it is', async () => {
  const { view, seen, quantity, listener, publisher } = account()
  view.use()
  await pass(10)
  const at = performance.now()
  seen.changedAt = at - 1
  listener().onFill({
    at,
    symbol: 'BTCUSDT',
    side: 'both',
    clientOrderId: 'own',
    change: '-0.1',
    filled: '0.1',
  })
  listener().onAccount({ at, isWhole: true, wallets: new Map(), positions: [long('0')] })
  publisher().onSending({ clientOrderId: 'next' as ClientOrderId, symbol: 'BTCUSDT' } as OrderPlan)
  expect(quantity()).toBeUndefined()
  const { asked } = seen
  const answers = view.read(false)
  await pass(0.5)
  Object.assign(seen, { held: [long('0')], changedAt: at })
  await pass(1)
  expect(await answers).toBeGreaterThan(asked + 1)
})

test('an account is to be read while its stream does not answer', async () => {
  const { view, seen, quantity } = account()
  view.use()
  await pass(10)
  seen.isAlive = false
  expect(quantity()).toBeUndefined()
  seen.isAlive = true
  expect(quantity()).toBe('0.1')
})

test('an account is to be read where its stream reports too late, until it was read again', async () => {
  const { view, quantity, listener } = account()
  view.use()
  await pass(10)
  const update = { isWhole: true, wallets: new Map(), positions: [long('0.1')] }
  listener().onAccount({ ...update, at: performance.now() - 200 })
  expect(quantity()).toBe('0.1')
  listener().onAccount({ ...update, at: performance.now() - 400 })
  expect(quantity()).toBeUndefined()
  await pass(10)
  expect(quantity()).toBe('0.1')
})

test('an account of which the answer cannot be read as a whole is never known', async () => {
  const { view, seen, quantity } = account()
  seen.isReadable = false
  view.use()
  await pass(60)
  expect(quantity()).toBeUndefined()
  expect(seen.asked).toBeGreaterThan(0)
})

test('an account is not read in between where little is left of the limit of the venue', async () => {
  const { view, seen, quantity } = account()
  seen.mayRead = false
  view.use()
  await pass(120)
  expect([quantity(), seen.asked]).toEqual([undefined, 0])
  expect(await view.read(false)).toBe(1)
  expect(quantity()).toBe('0.1')
  await pass(61)
  expect(quantity()).toBeUndefined()
})

test('an account for which there is no room is never known', async () => {
  const { view, seen, quantity } = account(0)
  view.use()
  await view.read(false)
  await pass(60)
  expect([quantity(), seen.stopped]).toEqual([undefined, 0])
  view.stop()
  expect(seen.stopped).toBe(0)
})
