import { describe, expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { createAccountFeed, type TopicUpdate } from './account-feed.ts'

const account = { at: 1, isWhole: true, wallets: new Map(), positions: [] }

/** A feed of two subscriptions, and what a subscriber of it receives. */
function attended(read: () => readonly TopicUpdate[] = () => [{ account }]) {
  const received: string[] = []
  const seen = { held: 0, asked: [] as (readonly unknown[])[], isRefused: false }
  const feed = createAccountFeed({
    topics: { subscriptions: [['position'], ['wallet']], read },
    hold: () => {
      seen.held++
      return () => void seen.held--
    },
    link: { ping: () => undefined, verifiedUntil: () => undefined, renew: () => undefined },
    log: testLog('executor'),
  })
  const subscribe = () =>
    feed.subscribe({
      onLive: () => received.push('live'),
      onDown: () => received.push('down'),
      onAccount: () => received.push('account'),
      onFill: () => received.push('fill'),
      onOrder: () => received.push('order'),
      onSettings: () => received.push('settings'),
    })
  const connect = async (): Promise<void> => {
    feed.up(async ({ args }) => {
      if (seen.isRefused) throw new Error('refused')
      seen.asked.push(args)
    })
    await new Promise(setImmediate)
  }
  return { feed, received, seen, subscribe, connect }
}

describe("an account's part of a stream", () => {
  test('reports nothing before somebody subscribes to it, and everything once its topics are subscribed to', async () => {
    const { feed, received, seen, subscribe, connect } = attended()
    await connect()
    expect([seen.asked, seen.held]).toEqual([[], 0])
    subscribe()
    feed.receive({ topic: 'position' })
    await new Promise(setImmediate)
    feed.receive({ topic: 'position' })
    expect(seen.asked).toEqual([['position'], ['wallet']])
    expect(received).toEqual(['live', 'account'])
  })

  test('begins again with each connection, and for each later listener', async () => {
    const { feed, received, seen, subscribe, connect } = attended()
    const { stop } = subscribe()
    await connect()
    feed.down()
    await connect()
    expect(received).toEqual(['live', 'down', 'live'])
    subscribe()
    expect(received).toEqual(['live', 'down', 'live', 'live'])
    stop()
    expect(seen.held).toBe(1)
  })

  test('is never there for a key that may not receive it', async () => {
    const { feed, received, seen, subscribe, connect } = attended()
    seen.isRefused = true
    subscribe()
    await connect()
    feed.receive({ topic: 'position' })
    feed.down()
    expect(received).toEqual([])
  })

  test('begins anew after something that cannot be read', async () => {
    const { feed, received, subscribe, connect } = attended(() => {
      throw new Error('unreadable')
    })
    subscribe()
    await connect()
    feed.receive({ topic: 'position' })
    expect(received).toEqual(['live', 'live'])
  })
})
