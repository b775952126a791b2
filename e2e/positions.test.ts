import { beforeAll, expect, test } from '@jest/globals'
import { calls } from '@tripline/proto/http/calls'
import { callApi } from '@tripline/testkit/people/call-api'
import type { Locator, Page } from 'playwright-core'
import { expectSoon, testComplaints, webFixture } from './web-fixture.ts'
import { executeButton, hidePage } from './web-person.ts'

const web = webFixture(() => ({ ACCESS_TOKEN_MINUTES: '60' }))

const send = async (message: string): Promise<void> => {
  const answer = await fetch(web.demo.webhookUrl, { method: 'POST', body: message })
  expect(answer.status).toBe(200)
}

let page: Page
beforeAll(async () => {
  await callApi(web.product.urls.web, calls.updateWebhookConfig({ max_requests_per_minute: 60 }), web.demo)
  page = await web.browser.open()
  await page.addInitScript((token) => localStorage.setItem('accessToken', token), web.demo.accessToken)
})

const account = (): Locator => page.getByRole('region', { name: 'MyBot' })
const positions = (): Locator => page.getByRole('table', { name: 'Open positions, MyBot' })
const orders = (): Locator => page.getByRole('table', { name: 'Open orders, MyBot' })
const rowsOf = async (table: Locator): Promise<string[]> =>
  (await table.locator('tbody tr').locator('td:first-child').allTextContents()).toSorted()
const editor = (): Locator => page.locator('.cm-content')
const linesInEditor = async (): Promise<string[]> => await editor().locator('.cm-line').allTextContents()

/** Executes what the terminal was brought, and waits for the answer to it. */
async function execute(): Promise<void> {
  await executeButton(page).click()
  await page.getByText('command(s) completed').first().waitFor()
}

test('positions and orders at the exchange are on the screen and on the dashboard, and follow changes', async () => {
  await page.goto('/positions')
  await account().getByText('No open positions.').waitFor()
  await account().getByText('Equity').waitFor()
  await send('MyBot(BTCUSDT) { market(buy, 0.01); stop(sell, 100%p, 30000) }')
  await send('MyBot(ETHUSDT) { market(sell, 0.1) }')
  await expectSoon(async () => await rowsOf(positions()), ['BTCUSDT', 'ETHUSDT'])
  await orders().getByText('Stop').waitFor()
  await orders().getByRole('link', { name: 'Alert' }).click()
  await page.waitForURL(/executions\?id=/)
  await page.goto('/dashboard')
  const panel = page.getByRole('region', { name: 'Positions' })
  await panel.getByText('ETHUSDT').waitFor()
  await panel.getByRole('link', { name: 'All positions' }).click()
  await page.waitForURL('**/positions')
  await page.goto('/terminal')
  await panel.getByText('ETHUSDT').waitFor()
  await editor().fill('MyBot(BTCUSDT) { limit(buy, 0.01, 29000, tag=late) }')
  await execute()
  await page.evaluate(hidePage)
  await panel.getByRole('link', { name: 'All positions' }).click()
  await page.waitForURL('**/positions')
  await orders().getByText('29,000').waitFor()
  await send('MyBot(BTCUSDT) { cancel(tag=late) }')
  await page.goto('/positions')
})

test('one position is closed by a message that the terminal shows and sends, and its stop ends with it', async () => {
  await page.getByRole('button', { name: 'Close BTCUSDT' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('MyBot(BTCUSDT) { market(position=0) }').waitFor()
  await dialog.locator('button:focus', { hasText: 'Open in Terminal' }).waitFor()
  await page.keyboard.press('Enter')
  await expectSoon(linesInEditor, ['MyBot(BTCUSDT) { market(position=0) }'])
  await execute()
  await page.goto('/positions')
  await expectSoon(async () => await rowsOf(positions()), ['ETHUSDT'])
  await account().getByText('No open orders.').waitFor()
})

test('one open order is canceled, and the other of its symbol stays', async () => {
  await send('MyBot(BTCUSDT) { limit(buy, 0.01, 30000); limit(buy, 0.01, 31000) }')
  const cancels = page.getByRole('button', { name: 'Cancel Limit of BTCUSDT' })
  await cancels.nth(1).waitFor()
  await orders().locator('tbody tr', { hasText: '31,000' }).getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open in Terminal' }).click()
  await expectSoon(
    async () => (await linesInEditor()).join().replace(/order=\w+/, 'order=ID'),
    'MyBot(BTCUSDT) { cancel(order=ID) }',
  )
  await execute()
  await page.goto('/positions')
  await expectSoon(async () => await orders().locator('tbody tr').count(), 1)
  await orders().getByText('30,000').waitFor()
  await send('MyBot(BTCUSDT) { cancel }')
  await account().getByText('No open orders.').waitFor()
})

test('a bot is flattened by one message with a block for each symbol that has something', async () => {
  await send('MyBot(BTCUSDT) { limit(buy, 0.01, 30000) }')
  await expectSoon(async () => await rowsOf(orders()), ['BTCUSDT'])
  await page.getByRole('button', { name: 'Flatten MyBot' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open in Terminal' }).click()
  await expectSoon(linesInEditor, [
    'MyBot(ETHUSDT) { market(position=0); cancel }',
    'MyBot(BTCUSDT) { cancel }',
  ])
  await execute()
  await page.goto('/positions')
  await account().getByText('No open positions.').waitFor()
  await account().getByText('No open orders.').waitFor()
})

test('"Close All Positions" closes in every symbol, and in BTCUSDT alone where nothing is open', async () => {
  const closeAll = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Close All Positions' }).click()
  }
  await page.goto('/terminal')
  await page.locator('.bot-chip', { hasText: 'MyBot' }).click()
  await closeAll()
  await expectSoon(linesInEditor, ['MyBot(BTCUSDT) { market(position=0) }'])
  await send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await send('MyBot(ETHUSDT) { market(buy, 0.1) }')
  const chosen = async (): Promise<string[]> => {
    await closeAll()
    return (await linesInEditor()).toSorted()
  }
  await expectSoon(chosen, [
    'MyBot(BTCUSDT) { market(position=0); cancel }',
    'MyBot(ETHUSDT) { market(position=0); cancel }',
  ])
  await execute()
  await page.goto('/positions')
  await account().getByText('No open positions.').waitFor()
})

test('a user who pauses may close everything at once, of all bots', async () => {
  await page.getByText('Close everything').waitFor({ state: 'detached' })
  await send('MyBot(BTCUSDT) { market(buy, 0.01); limit(buy, 0.01, 30000) }')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Pause trading' }).waitFor()
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Pause and close everything' }).click()
  await page.waitForURL('**/positions')
  const dialog = page.getByRole('dialog', { name: 'Close all positions and cancel all orders of all bots?' })
  await dialog.getByText('MyBot(BTCUSDT) { market(position=0); cancel }').waitFor()
  await dialog.getByRole('button', { name: 'Open in Terminal' }).click()
  await execute()
  await page.goto('/positions')
  await account().getByText('No open positions.').waitFor()
  await page.getByText('Trading is paused.').waitFor()
  await page.keyboard.press('p')
  await page.getByRole('dialog').getByRole('button', { name: 'Resume trading' }).click()
  await page.getByText('Trading is paused.').waitFor({ state: 'detached' })
})

testComplaints(web)
