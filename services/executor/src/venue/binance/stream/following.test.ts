import { expect, jest, test } from '@jest/globals'
import { filledOrder } from '../../../../test/filled-order.ts'
import type { AccountUpdate } from '../../../domain/account/view.ts'
import type { AccountListener } from '../../account/account-listener.ts'
import { createFollowing, type StreamListener } from './following.ts'

const order = filledOrder
const account: AccountUpdate = { at: 1, isWhole: true, wallets: new Map(), positions: [] }

function opened() {
  let listener: StreamListener | undefined
  const socket = {
    send: () => true,
    ping: () => undefined,
    verifiedUntil: () => undefined,
    renew: () => undefined,
    stop: () => undefined,
  }
  const following = createFollowing({
    open: (opening) => {
      listener = opening
      return socket
    },
    lookUp: async () => ({ outcome: 'unreachable', cause: 'not asked' }),
    onOrder: () => undefined,
    now: Date.now,
    timing: undefined,
  })
  const update = (): StreamListener => {
    if (listener === undefined) throw new Error('no stream was opened')
    return listener
  }
  return { following, update }
}

const deaf: AccountListener = {
  onLive: () => undefined,
  onDown: () => undefined,
  onAccount: () => undefined,
  onFill: () => undefined,
  onOrder: () => undefined,
  onSettings: () => undefined,
}

test('updates of the account are read once for all its listeners, and not for listeners to orders alone', () => {
  const { following, update } = opened()
  const read = jest.fn(() => account)
  const stopFollowing = following.follow(() => undefined)
  update().onAccount(read)
  expect(read).not.toHaveBeenCalled()
  const onAccount = jest.fn()
  const subscriptions = [
    following.subscribe({ ...deaf, onAccount }),
    following.subscribe({ ...deaf, onAccount }),
  ]
  update().onAccount(read)
  expect([read.mock.calls.length, onAccount.mock.calls]).toEqual([1, [[account], [account]]])
  for (const { stop } of subscriptions) stop()
  stopFollowing()
})

test.each([
  ['its id', order],
  ['its name, where the answer has no id', { ...order, venueOrderId: '' }],
])('an order that was reported before its answer came is found by %s', async (_by, answered) => {
  const { following, update } = opened()
  const stop = following.follow(() => undefined)
  update().onLive()
  update().onOrder({ symbol: 'BTCUSDT', order, fill: undefined })
  const asked = { ...answered, averagePrice: null }
  expect(await following.awaitFilled('BTCUSDT', asked, 0)).toMatchObject({ averagePrice: '58000' })
  stop()
})

test('reports on an order that its answer shows filled further are outdated', async () => {
  const { following, update } = opened()
  const stop = following.follow(() => undefined)
  update().onLive()
  update().onOrder({ symbol: 'BTCUSDT', order: { ...order, status: 'partially_filled' }, fill: undefined })
  expect(await following.awaitFilled('BTCUSDT', { ...order, filled: '2' }, 0)).toBeUndefined()
  stop()
})
