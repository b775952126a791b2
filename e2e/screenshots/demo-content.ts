import { type CreateKeyApiArg, calls } from '@tripline/proto/http/calls'
import { callApi } from '@tripline/testkit/people/call-api'
import { type DemoAccount, openDemoAccount } from '@tripline/testkit/people/demo-account'
import type { Product } from '@tripline/testkit/stack/product'

/** A few bots, and alerts that end in every way. */
const bots: CreateKeyApiArg[] = [
  { label: 'Scalper 5m', exchange: 'paper', market_type: 'futures' },
  { label: 'spot-dca', exchange: 'paper', market_type: 'spot' },
]
const alerts = [
  'spot-dca(BTCUSDT) { limit(buy, 0.002, 55000); balance }',
  'Scalper 5m(ETHUSDT) { settings(5); market(sell, 0.5) }',
  'MyBot(BTCUSDT) { markte(buy, 0.01) }',
  'MyBot(BTCUSDT) { market(buy, 0.01); market(buy, 100000) }',
  'Scalper 5m(ETHUSDT) { market(position=0); cancel }',
  'spot-dca(BTCUSDT) { market(sell, 1000000) }',
  'MyBot(BTCUSDT) { settings(10); market(buy, 0.02); sltp(amount=100%p, sl=1%, tp=2%) }',
]

/** Fills a new product with what its screens can show. */
export async function fillWithDemo({ urls, dataDir }: Product): Promise<DemoAccount> {
  const demo = await openDemoAccount(urls.web, dataDir)
  for (const bot of bots) await callApi(urls.web, calls.createKey(bot), demo)
  // Every look sends another alert.
  await callApi(urls.web, calls.updateWebhookConfig({ max_requests_per_minute: 60 }), demo)
  for (const message of alerts) await fetch(demo.webhookUrl, { method: 'POST', body: message })
  return demo
}
