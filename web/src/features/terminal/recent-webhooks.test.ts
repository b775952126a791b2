import { describe, expect, test } from '@jest/globals'
import { readRecentWebhooks, withRecentWebhook } from './recent-webhooks.ts'

const webhook = (id: number, message = `Bot(BTCUSDT) { market(buy, ${id}) }`) => ({
  id: String(id),
  message,
  timestamp: new Date(id).toISOString(),
})

describe('the recent webhooks', () => {
  test('keep the newest 20, newest first', () => {
    const numbers = Array.from({ length: 25 }, (_, index) => index)
    const list = numbers.reduce<ReturnType<typeof webhook>[]>(
      (kept, n) => withRecentWebhook(kept, webhook(n)),
      [],
    )
    expect(list.map(({ id }) => Number(id))).toEqual(numbers.slice(5).reverse())
  })

  test('hold a message once, at its last time', () => {
    const list = withRecentWebhook([webhook(1, 'a'), webhook(2, 'b')], webhook(3, 'b'))
    expect(list.map(({ id }) => id)).toEqual(['3', '1'])
  })

  test('come back as they were stored', () => {
    const list = [webhook(2), webhook(1)]
    expect(readRecentWebhooks(JSON.stringify(list))).toEqual(list)
  })

  test.each([null, '', 'null', '{', '[{"id":1}]'])('start empty when %j was stored', (stored) => {
    expect(readRecentWebhooks(stored)).toEqual([])
  })
})
