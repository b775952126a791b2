import { describe, expect, test } from '@jest/globals'
import { readMessage } from '@tripline/proto/language/read-message'
import { type Cost, excessOf, mostOrders, nothingSpent, type Quotas, spentAt, withCost } from './quota.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const quotas: Quotas = {
  bytesPerMinute: 1000,
  commandsPerMinute: 10,
  storedBytesPerDay: 100_000,
  bytesWaiting: 0,
  commandsWaiting: 0,
  alertsWaiting: 0,
}

const cost = (bytes: number, commands: number): Cost => ({ bytes, commands, orders: commands })

describe('spending', () => {
  test('up to a quota is no excess, and beyond it the wait is until the minute or the day is over', () => {
    const at = noon + 20_000
    const full = withCost(nothingSpent(at), cost(1000, 10))
    expect(excessOf(full, quotas, at)).toBeUndefined()
    expect(excessOf(withCost(full, cost(0, 1)), quotas, at)).toEqual({
      quota: 'commandsPerMinute',
      waitMs: 40_000,
    })
    expect(excessOf(withCost(full, cost(1, 0)), quotas, at)).toEqual({
      quota: 'bytesPerMinute',
      waitMs: 40_000,
    })
    const ofDay = withCost(nothingSpent(at), cost(0, 26))
    expect(excessOf(ofDay, quotas, at)).toEqual({ quota: 'storedBytesPerDay', waitMs: 43_180_000 })
  })

  test('of a minute is forgotten in the next one, and that of a day in the next', () => {
    const spent = withCost(nothingSpent(noon), cost(500, 5))
    expect(spentAt(spent, noon + 59_999)).toEqual(spent)
    expect(spentAt(spent, noon + 60_000)).toMatchObject({ bytes: 0, commands: 0, storedBytes: 20_500 })
    expect(spentAt(spent, noon + 43_200_000)).toMatchObject({ bytes: 0, commands: 0, storedBytes: 0 })
  })

  test('of a replica whose clock is ahead counts all the same', () => {
    const spent = withCost(nothingSpent(noon + 60_000), cost(500, 5))
    expect(spentAt(spent, noon + 59_990)).toEqual(spent)
  })
})

test.each([
  ['market(buy, 1)', 1],
  ['cancel', 1],
  ['sltp(amount=100%p, sl=58000, tp=62000)', 2],
  ['oco { limit(sell, 1, 62000); stop(sell, 1, 58000) }', 2],
] as const)('the events of %s are counted as those of %d orders', (commands, orders) => {
  const { blocks } = readMessage(`MyBot(BTCUSDT) { ${commands} }`, [{ label: 'MyBot', market: 'futures' }])
  expect(blocks.flatMap((block) => block.commands).map(mostOrders)).toEqual([orders])
})
