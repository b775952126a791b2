import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { UserId } from '@tripline/proto/id'
import type { BotConfig } from '@tripline/proto/user-config'
import { type Surroundings, surroundings, type TestUser } from './surroundings.ts'

let around: Surroundings
let user: TestUser
beforeAll(async () => {
  around = await surroundings()
  user = await around.addUser()
})
afterAll(async () => await around.stop())

const read = async (message: string) => await around.read(user.config.userId, message)

describe('a message that is only read', () => {
  test('is read against the bots of its user, and nothing of it is stored', async () => {
    const { blocks, diagnostics } = await read('MyBot(BTCUSDT) { market(buy, 0.01) }')
    expect(blocks).toMatchObject([{ label: 'MyBot', symbol: 'BTCUSDT', commands: [{ type: 'market' }] }])
    expect(diagnostics).toEqual([])
    expect(await around.alertsOf(user)).toEqual([])
  })

  test('shows its faults, their places, and the corrections', async () => {
    const { blocks, diagnostics } = await read('MyBot(BTCUSDT) { markt(buy, 0.01) }')
    expect(blocks).toEqual([])
    expect(diagnostics).toMatchObject([
      {
        code: 'E202',
        cause: expect.stringContaining('markt'),
        offset: 17,
        excerpt: `MyBot(BTCUSDT) { markt(buy, 0.01) }\n${' '.repeat(17)}^^^^^`,
        suggestion: 'market',
        fix: { offset: 17, length: 5, text: 'market' },
      },
    ])
  })

  test('shows the right form', async () => {
    const { diagnostics } = await read('MyBot(BTCUSDT) { market(buy, 1, amout=2) }')
    expect(diagnostics).toMatchObject([{ code: 'E205', expected: expect.stringContaining('amount') }])
  })

  test('shows warnings beside the message that is read', async () => {
    const { blocks, diagnostics } = await read('MyBot(BTCUSDT) { market(buy, 1, position=0) }')
    expect(blocks).toHaveLength(1)
    expect(diagnostics).toMatchObject([{ code: 'W701' }])
  })

  test('says of a bot whose settings a newer version wrote that it cannot trade now', async () => {
    const other = await around.addUser()
    const [bot] = other.config.bots
    const newer = { ...bot, id: randomUUID(), label: 'Newer', exchange: 'newer' }
    await around.change(other, (config) => ({
      ...config,
      bots: [...config.bots, newer as unknown as BotConfig],
    }))
    const readOther = async (message: string) => await around.read(other.config.userId, message)
    expect(await readOther('Newer(BTCUSDT) { market(buy, 0.01) }')).toMatchObject({
      blocks: [],
      diagnostics: [{ code: 'E404', message: expect.stringContaining('newer version') }],
    })
    expect(await readOther('MyBot(BTCUSDT) { market(buy, 0.01) }')).toMatchObject({ diagnostics: [] })
  })

  test('names no bot to a user who has linked none', async () => {
    const { diagnostics } = await around.read(randomUUID() as UserId, 'MyBot(BTCUSDT) { balance }')
    expect(diagnostics).toMatchObject([{ code: 'E201' }])
  })
})
