import { expect, test } from '@jest/globals'
import { WebhookConfigView } from '@tripline/proto/http/key'
import { paperControl } from '@tripline/testkit/paper-control'
import { patientCallerOf } from '@tripline/testkit/people/caller'
import { newPerson } from '@tripline/testkit/people/person'
import { expectSoon, testComplaints, webFixture } from './web-fixture.ts'
import { enterSession, everythingOn } from './web-person.ts'

const web = webFixture(() => ({ ACCESS_TOKEN_MINUTES: '60', OKX: 'on' }))

const cutWords = `[...document.querySelectorAll('.choice-note, html')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent)`

test.each([
  ['USDT Swaps', 'dark', 1440],
  ['Spot', 'light', 390],
] as const)('a bot of OKX for %s is linked as beta, tested, and trades', async (market, theme, width) => {
  const { product, browser } = web
  const { tokens } = await newPerson(product.urls.web)
  const { apiKey, secret } = await paperControl(product.urls.paper).openAccount()
  const page = await browser.open(width)
  await page.addInitScript((name) => localStorage.setItem('theme', name), theme)
  await enterSession(page, tokens)
  await page.goto('/api-keys')
  await page.getByRole('button', { name: 'Add API Key' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByText('OKX', { exact: true }).click()
  await form.getByText('beta: tried on documentation and paper').waitFor()
  await form.getByText(market, { exact: true }).click()
  await form.getByText('The account has to be in').waitFor()
  await form.getByLabel('Label').fill('Ox')
  await form.getByLabel('API key').fill(apiKey)
  await form.getByLabel('API secret').fill(secret)
  await form.getByRole('button', { name: 'Add API Key' }).click()
  await expectSoon(() => form.getByText('API credentials are required').count(), 1)
  expect(await page.evaluate(cutWords)).toEqual([])
  // Every account's at OKX's wire of the paper exchange.
  await form.getByLabel('Passphrase').fill('paper')
  await form.getByRole('button', { name: 'Add API Key' }).click()
  await form.getByText('The key works.').waitFor()
  expect(await everythingOn(page)).not.toContain(secret)

  const call = patientCallerOf(product.urls.web)
  const config = await call('GET /api/webhook-config', { token: tokens.access_token })
  const { pathname } = new URL(WebhookConfigView.parse(config.body).webhook_url)
  const { body } = await call(`POST ${pathname}?wait=20000`, { raw: 'Ox(BTCUSDT) { market(buy, 0.01) }' })
  expect(body).toMatchObject({ status: 'success' })
  await page.goto('/executions')
  const named = page.getByText(market === 'Spot' ? 'OKX Spot' : 'OKX', { exact: true })
  await named.filter({ visible: true }).first().waitFor()
})

testComplaints(web)
