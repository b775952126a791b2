import { describe, expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { createAccountFeed, type Told } from './account-feed.ts'

const news = { at: 1, isWhole: true, wallets: new Map(), positions: [] }

/** A feed of two subscriptions, and what somebody who attends it hears. */
function attended(read: () => readonly Told[] = () => [{ news }]) {
  const heard: string[] = []
  const seen = { held: 0, asked: [] as (readonly unknown[])[], isRefused: false }
  const feed = createAccountFeed({
    topics: { subscriptions: [['position'], ['wallet']], read },
    hold: () => {
      seen.held++
      return () => void seen.held--
    },
    link: { probe: () => undefined, provenAt: () => undefined, renew: () => undefined },
    log: testLog('executor'),
  })
  const attend = () =>
    feed.attend({
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
  return { feed, heard, seen, attend, connect }
}

describe("an account's part of a stream", () => {
  test('tells nothing before somebody attends it, and everything once its topics are subscribed to', async () => {
    const { feed, heard, seen, attend, connect } = attended()
    await connect()
    expect([seen.asked, seen.held]).toEqual([[], 0])
    attend()
    feed.hear({ topic: 'position' })
    await new Promise(setImmediate)
    feed.hear({ topic: 'position' })
    expect(seen.asked).toEqual([['position'], ['wallet']])
    expect(heard).toEqual(['live', 'news'])
  })

  test('begins again with each connection, and for whoever comes later', async () => {
    const { feed, heard, seen, attend, connect } = attended()
    const { stop } = attend()
    await connect()
    feed.down()
    await connect()
    expect(heard).toEqual(['live', 'down', 'live'])
    attend()
    expect(heard).toEqual(['live', 'down', 'live', 'live'])
    stop()
    expect(seen.held).toBe(1)
  })

  test('is never there for a key that may not hear it', async () => {
    const { feed, heard, seen, attend, connect } = attended()
    seen.isRefused = true
    attend()
    await connect()
    feed.hear({ topic: 'position' })
    feed.down()
    expect(heard).toEqual([])
  })

  test('begins anew after something that cannot be read', async () => {
    const { feed, heard, attend, connect } = attended(() => {
      throw new Error('unreadable')
    })
    attend()
    await connect()
    feed.hear({ topic: 'position' })
    expect(heard).toEqual(['live', 'live'])
  })
})
