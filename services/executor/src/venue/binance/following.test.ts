import { expect, jest, test } from '@jest/globals'
import { filledOrder } from '../../../test/filled-order.ts'
import type { AccountNews } from '../../domain/account-view.ts'
import type { AccountEars } from '../account-view/account-ears.ts'
import { createFollowing, type StreamEars } from './following.ts'

const order = filledOrder
const news: AccountNews = { at: 1, isWhole: true, wallets: new Map(), positions: [] }

function opened() {
  let ears: StreamEars | undefined
  const socket = {
    send: () => true,
    ping: () => undefined,
    provenAt: () => undefined,
    renew: () => undefined,
    stop: () => undefined,
  }
  const following = createFollowing({
    open: (opening) => {
      ears = opening
      return socket
    },
    lookUp: async () => ({ outcome: 'unreachable', cause: 'not asked' }),
    onOrder: () => undefined,
    now: Date.now,
    timing: undefined,
  })
  const told = (): StreamEars => {
    if (ears === undefined) throw new Error('no stream was opened')
    return ears
  }
  return { following, told }
}

const deaf: AccountEars = {
  onLive: () => undefined,
  onDown: () => undefined,
  onNews: () => undefined,
  onFill: () => undefined,
  onOrder: () => undefined,
  onSettings: () => undefined,
}

test('news of the account are read once for all that hear them, and not for who hears of orders alone', () => {
  const { following, told } = opened()
  const read = jest.fn(() => news)
  const stopFollowing = following.follow(() => undefined)
  told().onNews(read)
  expect(read).not.toHaveBeenCalled()
  const onNews = jest.fn()
  const attendances = [following.attend({ ...deaf, onNews }), following.attend({ ...deaf, onNews })]
  told().onNews(read)
  expect([read.mock.calls.length, onNews.mock.calls]).toEqual([1, [[news], [news]]])
  for (const { stop } of attendances) stop()
  stopFollowing()
})

test.each([
  ['its id', order],
  ['its name, where the answer has no id', { ...order, venueOrderId: '' }],
])('an order that was told before its answer came is found by %s', async (_by, answered) => {
  const { following, told } = opened()
  const stop = following.follow(() => undefined)
  told().onLive()
  told().onOrder({ symbol: 'BTCUSDT', order, fill: undefined })
  const asked = { ...answered, averagePrice: null }
  expect(await following.awaitFilled('BTCUSDT', asked, 0)).toMatchObject({ averagePrice: '58000' })
  stop()
})

test('what was told of an order that is filled further by its answer is not how it stands', async () => {
  const { following, told } = opened()
  const stop = following.follow(() => undefined)
  told().onLive()
  told().onOrder({ symbol: 'BTCUSDT', order: { ...order, status: 'partially_filled' }, fill: undefined })
  expect(await following.awaitFilled('BTCUSDT', { ...order, filled: '2' }, 0)).toBeUndefined()
  stop()
})
