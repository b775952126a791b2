import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { BalanceOutcome, OrderOutcome } from '@tripline/proto/command-result'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'

describe('Paper bots', () => {
  let product: Product
  let trader: Trader
  const bots = new Map<string, string>()

  beforeAll(async () => {
    product = await startProduct({ ephemeral: true, ownServers: true })
    trader = await newTrader(product)
    bots.set('Spot1', await trader.linkPaperBot('Spot1', 'spot'))
    bots.set('Futures1', await trader.linkPaperBot('Futures1', 'futures'))
  }, 90_000)
  afterAll(async () => await product.stop())

  /** The results of one command, sent as an alert. */
  async function run(message: string): Promise<unknown> {
    const answer = WebhookAnswer.parse((await trader.send(message)).body)
    const [command] = answer.results[0]?.results ?? []
    expect([answer.status, command?.error]).toEqual(['success', null])
    return command?.result
  }

  const balance = async (bot: string, coin: string): Promise<string> =>
    BalanceOutcome.parse(await run(`${bot}(BTCUSDT) { balance(asset=${coin}) }`)).balance.total

  test('trade spot: a buy spends the amount it names, a sale sells the coins that are held', async () => {
    const bought = OrderOutcome.parse(await run('Spot1(BTCUSDT) { market(buy, 600$) }'))
    expect(bought).toMatchObject({ side: 'buy', status: 'filled', reduce_only: false })
    expect(await balance('Spot1', 'BTC')).toMatch(/^0\.0099/)
    const sold = OrderOutcome.parse(await run('Spot1(BTCUSDT) { market(sell, 100%) }'))
    expect(sold).toMatchObject({ side: 'sell', status: 'filled' })
    expect(await balance('Spot1', 'BTC')).toMatch(/^0\.0000/)
  })

  test.each(['Spot1', 'Futures1'])('%s holds its opening balance again after a reset', async (bot) => {
    await run(`${bot}(BTCUSDT) { market(buy, 0.01) }`)
    expect(await balance(bot, 'USDT')).not.toBe('10000')
    expect(await trader.resetPaperBot(bots.get(bot) ?? '')).toBe(200)
    expect(await balance(bot, 'USDT')).toBe('10000')
    const { position } = BalanceOutcome.parse(await run(`${bot}(BTCUSDT) { balance }`))
    expect(position?.side ?? 'flat').toBe('flat')
  })

  test('are reset by nobody but their owner', async () => {
    const stranger = await newTrader(product)
    expect(await stranger.resetPaperBot(bots.get('Spot1') ?? '')).toBe(404)
  })
})
