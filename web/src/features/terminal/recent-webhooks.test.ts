import { describe, expect, test } from '@jest/globals'
import { readRecentWebhooks, withoutWebhook, withPin, withRecentWebhook } from './recent-webhooks.ts'

const webhook = (id: number, message = `Bot(BTCUSDT) { market(buy, ${id}) }`) => ({
  id: String(id),
  message,
  timestamp: new Date(id).toISOString(),
})

describe('the recent webhooks', () => {
  test('keep the newest 20, newest first', () => {
    const numbers = Array.from({ length: 25 }, (_, index) => index)
    const list = numbers.reduce<ReturnType<typeof webhook>[]>(
      (list, n) => withRecentWebhook(list, webhook(n)),
      [],
    )
    expect(list.map(({ id }) => Number(id))).toEqual(numbers.slice(5).reverse())
  })

  test('hold a message once, at its last time', () => {
    const list = withRecentWebhook([webhook(1, 'a'), webhook(2, 'b')], webhook(3, 'b'))
    expect(list.map(({ id }) => id)).toEqual(['3', '1'])
  })

  test('keep pinned messages first, and for as long as they are pinned', () => {
    const pinned = withPin([webhook(2), webhook(1)], '1', true)
    expect(pinned.map(({ id }) => id)).toEqual(['1', '2'])
    const full = Array.from({ length: 30 }, (_, index) => webhook(index + 3)).reduce(
      withRecentWebhook,
      pinned,
    )
    expect(full).toHaveLength(20)
    expect(full[0]).toMatchObject({ id: '1', pinned: true })
    expect(withPin(full, '1', false).at(-1)?.id).toBe('1')
  })

  test('stay pinned when they are executed again', () => {
    const pinned = withPin([webhook(1, 'a')], '1', true)
    expect(withRecentWebhook(pinned, webhook(2, 'a'))).toEqual([{ ...webhook(2, 'a'), pinned: true }])
  })

  test('lose deleted messages', () => {
    expect(withoutWebhook([webhook(2), webhook(1)], '2')).toEqual([webhook(1)])
  })

  test('come back as they were stored', () => {
    const list = [webhook(2), webhook(1)]
    expect(readRecentWebhooks(JSON.stringify(list))).toEqual(list)
  })

  test.each([null, '', 'null', '{', '[{"id":1}]'])('start empty when %j was stored', (stored) => {
    expect(readRecentWebhooks(stored)).toEqual([])
  })
})
