import { describe, expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { type AccountUpdate, createAccountFeed } from './account-feed.ts'

const news = { at: 1, isWhole: true, wallets: new Map(), positions: [] }

/** A feed of two subscriptions, and what a subscriber of it receives. */
function attended(read: () => readonly AccountUpdate[] = () => [{ news }]) {
  const heard: string[] = []
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
      onLive: () => heard.push('live'),
      onDown: () => heard.push('down'),
      onNews: () => heard.push('news'),
      onFill: () => heard.push('fill'),
      onOrder: () => heard.push('order'),
      onSettings: () => heard.push('settings'),
    })
  const connect = async (): Promise<void> => {
    feed.up(async ({ args }) => {
      if (seen.isRefused) throw new Error('refused')
      seen.asked.push(args)
    })
    await new Promise(setImmediate)
  }
  return { feed, heard, seen, subscribe, connect }
}

describe("an account's part of a stream", () => {
  test('reports nothing before somebody subscribes to it, and everything once its topics are subscribed to', async () => {
    const { feed, heard, seen, subscribe, connect } = attended()
    await connect()
    expect([seen.asked, seen.held]).toEqual([[], 0])
    subscribe()
    feed.receive({ topic: 'position' })
    await new Promise(setImmediate)
    feed.receive({ topic: 'position' })
    expect(seen.asked).toEqual([['position'], ['wallet']])
    expect(heard).toEqual(['live', 'news'])
  })

  test('begins again with each connection, and for whoever comes later', async () => {
    const { feed, heard, seen, subscribe, connect } = attended()
    const { stop } = subscribe()
    await connect()
    feed.down()
    await connect()
    expect(heard).toEqual(['live', 'down', 'live'])
    subscribe()
    expect(heard).toEqual(['live', 'down', 'live', 'live'])
    stop()
    expect(seen.held).toBe(1)
  })

  test('is never there for a key that may not receive it', async () => {
    const { feed, heard, seen, subscribe, connect } = attended()
    seen.isRefused = true
    subscribe()
    await connect()
    feed.receive({ topic: 'position' })
    feed.down()
    expect(heard).toEqual([])
  })

  test('begins anew after something that cannot be read', async () => {
    const { feed, heard, subscribe, connect } = attended(() => {
      throw new Error('unreadable')
    })
    subscribe()
    await connect()
    feed.receive({ topic: 'position' })
    expect(heard).toEqual(['live', 'live'])
  })
})
