import { readFile } from 'node:fs/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type PinnedPrices, paperControl } from '@tripline/testkit/paper-control'
import { type Call, patientCallerOf } from '@tripline/testkit/people/caller'
import { newPerson } from '@tripline/testkit/people/person'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import type { Page } from 'playwright-core'
import { expectSoon, testComplaints, webFixture } from './web-fixture.ts'
import { enterSession } from './web-person.ts'

const protectedBuy = 'MyBot(BTCUSDT) { market(buy, 0.02); stopOrTakeProfit(amount=100%p, sl=1%, tp=2%) }'
const tooMuch = 'MyBot(BTCUSDT) { market(buy, 100000) }'
const largestShift = 0.02

let call: Call
let person: Trader
let webhook: string
const web = webFixture()

beforeAll(() => {
  call = patientCallerOf(web.product.urls.web)
})

beforeEach(async () => {
  person = await newTrader(web.product)
  webhook = `POST ${new URL(person.webhookUrl).pathname}`
})

/** Has the exchange take its next order only after a while. */
async function holdUpOrder(ms: number): Promise<void> {
  const match = { method: 'POST', path: '/fapi/v1/order' }
  await paperControl(web.product.urls.paper).addFault({ match, action: 'delay', ms, count: 1 })
}

const send = async (message: string) => await call(`${webhook}?wait=20000`, { raw: message })

/** Presses Enter in the field that has the focus and types on, before the page has followed. */
const enterAndType = `{
  const input = document.activeElement
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  input.setRangeText('ing', input.value.length, input.value.length, 'end')
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}`

async function open(path: string, width?: number): Promise<Page> {
  const page = await web.browser.open(width)
  await enterSession(page, person.tokens)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const rows = (page: Page) => page.locator('[data-execution]')
const outcomes = (page: Page) => page.locator('.execution-outcome').allTextContents()
const sum = async (page: Page, name: string) =>
  await page
    .locator('.sums > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .textContent()

describe('a row of the history', () => {
  test('shows the action, or the code and the reason', async () => {
    await send(protectedBuy)
    await send(tooMuch)
    await send('MyBot(BTCUSDT) { markte(buy, 1) }')
    const page = await open('/executions')
    await expectSoon(() => rows(page).count(), 3)
    const [refused, failed, done] = await outcomes(page)
    expect(refused?.trim()).toBe('refused')
    expect(failed).toBe('E503 above the maximum quantity')
    expect(done).toMatch(/^BUY 0\.02 @ [\d,.]+ · SL [\d,.]+ · TP [\d,.]+$/)
    await page.getByText('E202 unknown command "markte"').waitFor()
    await page.locator('.outcome-mark', { hasText: 'refused' }).click()
    await page.waitForURL('/executions?outcome=refused')
    await expectSoon(() => rows(page).count(), 1)
  })
})

describe('an opened group', () => {
  const pin = async (prices: PinnedPrices) =>
    await paperControl(web.product.urls.paper).pinPrices('ETHUSDT', prices)

  afterEach(async () => await paperControl(web.product.urls.paper).unpinPrices('ETHUSDT'))

  test('shows which order filled behind the answer, and that the other ended by it', async () => {
    await pin({ bid: '100', ask: '100.1' })
    const group = 'oco { stop(sell, 100%p, 90); limit(sell, 100%p, 120) }'
    await send(`MyBot(ETHUSDT) { market(buy, 1); ${group} }`)
    const page = await open('/executions')
    await rows(page).click()
    const facts = page.locator('.facts dd')
    await facts.filter({ hasText: /^stop sell 1 @ 90, waiting, order \d+$/ }).waitFor()
    await facts.filter({ hasText: /^limit sell 1 @ 120, open, order \d+$/ }).waitFor()
    await pin({ bid: '89', ask: '89.1' })
    await facts.filter({ hasText: /^stop sell 1 @ 90, filled at 89, order \d+$/ }).waitFor()
    await facts.filter({ hasText: /^limit sell 1 @ 120, canceled by its group, order \d+$/ }).waitFor()
  })
})

describe('the history is asked', () => {
  test('by text, code and order id, for outcomes and in another order, and sums up the found ones', async () => {
    const { body } = await send(protectedBuy)
    const orderId = /"id":"(\d+)","client_order_id"/.exec(JSON.stringify(body))?.[1] ?? 'none'
    await send('MyBot(BTCUSDT) { balance }')
    await send('MyBot(BTCUSDT) { markte(buy, 1) }')
    await send(tooMuch)
    const page = await open('/executions')
    await expectSoon(() => rows(page).count(), 4)
    await expectSoon(() => sum(page, 'success'), '2')
    await expectSoon(() => sum(page, 'failed'), '2 (1 refused)')
    expect(await sum(page, 'filled')).toMatch(/^1,[\d,.]+ USDT$/)

    const search = page.getByLabel('Search', { exact: true })
    await search.fill(orderId)
    await search.press('Enter')
    await page.waitForURL(`/executions?search=${orderId}`)
    await expectSoon(() => rows(page).count(), 1)
    await search.fill('e503')
    await search.press('Enter')
    await expectSoon(() => outcomes(page), ['E503 above the maximum quantity'])
    await search.fill('stoporTAKE')
    await search.press('Enter')
    await expectSoon(() => rows(page).count(), 1)
    await search.fill('market')
    await page.evaluate(enterAndType)
    await page.waitForURL('/executions?search=market')
    expect(await search.inputValue()).toBe('marketing')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Outcome').selectOption('refused')
    await page.waitForURL('/executions?outcome=refused')
    await expectSoon(() => rows(page).count(), 1)
    await expectSoon(() => sum(page, 'failed'), '1 (1 refused)')
    expect(await sum(page, 'success')).toBe('0')
    await page.locator('.outcome-mark', { hasText: 'refused' }).waitFor()
    await page.getByLabel('Sort').selectOption('oldest')
    await page.getByRole('button', { name: 'Remove filter Outcome: refused' }).click()
    await page.waitForURL('/executions?sort=oldest')
    await expectSoon(() => rows(page).count(), 4)
    expect((await outcomes(page)).at(0)).toMatch(/^BUY 0\.02/)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export JSON' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    const statuses = (JSON.parse(file) as { overall_status: string }[]).map((one) => one.overall_status)
    expect(statuses).toEqual(['success', 'success', 'failed', 'failed'])
  })

  test('for a time by the own clock, and the filter keeps its name later', async () => {
    await send(protectedBuy)
    const page = await open('/profile')
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await page.getByText('Times in Asia/Tokyo').waitFor()
    await page.goto('/executions')
    await page.getByText('Times in Asia/Tokyo').waitFor()
    const time = page.locator('.execution-time')
    const instant = (await time.getAttribute('title')) ?? ''
    const inTokyo = new Date(Date.parse(instant) + 9 * 3_600_000).toISOString()
    expect(await time.textContent()).toBe(`${inTokyo.slice(5, 10)} ${inTokyo.slice(11, 23)}`)

    await page.getByLabel('Period').selectOption('custom')
    const until = page.getByLabel('Until (Asia/Tokyo)')
    await until.fill(inTokyo.slice(0, 16))
    await until.press('Enter')
    await page.getByText('No execution matches these filters.').waitFor()
    expect(new URL(page.url()).searchParams.get('to')).toBe(`${instant.slice(0, 16)}:00.000Z`)
    await page.getByLabel('Period').selectOption('last 24 hours')
    await page.waitForURL('/executions?range=24h')
    await expectSoon(() => rows(page).count(), 1)

    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name of the view').fill('Yesterday')
    await page.keyboard.press('Enter')
    await page.goto('/executions')
    await page.getByRole('button', { name: 'Yesterday', exact: true }).click()
    await page.waitForURL('/executions?range=24h')
    await page.getByRole('button', { name: 'Delete view Yesterday' }).click()
    await page.reload()
    await rows(page).first().waitFor()
    expect(await page.getByRole('button', { name: 'Yesterday', exact: true }).count()).toBe(0)
  })

  test('for executions that came too late for an entry', async () => {
    const token = person.tokens.access_token
    const { body: keys } = await call('GET /api/keys', { token })
    const trading = { token, body: { max_entry_age_s: 1 } }
    expect((await call(`PUT /api/keys/${keys[0].id}/trading`, trading)).status).toBe(200)
    await send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await holdUpOrder(1500)
    await send('MyBot(BTCUSDT) { limit(buy, 0.01, 30000); market(buy, 0.01) }')
    const page = await open('/executions')
    await expectSoon(() => rows(page).count(), 2)
    await page.locator('.outcome-mark', { hasText: 'late' }).waitFor()
    await page.getByLabel('Outcome').selectOption('late')
    await page.waitForURL('/executions?outcome=late')
    await expectSoon(() => rows(page).count(), 1)
    await rows(page).first().click()
    await page.locator('.execution-details').getByText('E515').first().waitFor()
  })

  test('without a result for the executions of another user', async () => {
    const { body } = await send(protectedBuy)
    const { alert_id: alertId } = body as { alert_id: string }
    const other = (await newPerson(web.product.urls.web)).tokens.access_token
    for (const query of [`search=${alertId}`, 'search=stopOrTakeProfit', 'sort=slowest']) {
      const list = await call(`GET /api/webhook-executions?${query}`, { token: other })
      expect(list).toMatchObject({ status: 200, body: { executions: [], total: 0 } })
    }
    const sums = await call(`GET /api/webhook-executions/sums?search=${alertId}`, { token: other })
    expect(sums.body).toMatchObject({ counts: { success: 0 }, filled: [] })
    const own = person.tokens.access_token
    const list = await call(`GET /api/webhook-executions?search=${alertId}`, { token: own })
    expect(list.body).toMatchObject({ total: 1 })
  })
})

describe('the receipts', () => {
  const chain = async (page: Page) => {
    await page.getByRole('button', { name: 'Check the chain' }).click()
    return page.getByRole('alert')
  }

  test.each([undefined, 390])(
    'are reached from the history, listed, and checked in the browser (%s)',
    async (width) => {
      await send(protectedBuy)
      await send(tooMuch)
      const page = await open('/executions', width)
      await page.getByRole('link', { name: 'Receipts' }).click()
      await page.waitForURL('/receipts')
      await page.getByRole('button', { name: 'Copy the hash of receipt 2' }).waitFor()
      await (await chain(page)).getByText(/^The chain is whole: 2 receipts, from 1 to 2,/).waitFor()
      await page.getByRole('link', { name: /^01/ }).first().click()
      await page.waitForURL(/\/executions\?search=01/)
      await expectSoon(() => rows(page).count(), 1)
    },
  )

  test('say so where there are none, and where the chain is broken', async () => {
    const page = await open('/receipts')
    await page.getByText('No receipts yet.').waitFor()
    await (await chain(page)).getByText('There is no receipt to check.').waitFor()
    await send(protectedBuy)
    await page.route('**/api/receipts/export', async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replace(/"alert_id":"01/, '"alert_id":"02')
      await route.fulfill({ response: answer, body: text })
    })
    await expectSoon(async () => {
      await chain(page)
      return await page.getByText(/^The chain is broken: the hash of receipt 1 is not/).count()
    }, 1)
  })
})

test('nothing of the history moves on a phone while it loads', async () => {
  await send(protectedBuy)
  const page = await open('/dashboard', 390)
  await page.addInitScript(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  await page.route('**/api/webhook-executions**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await page.goto('/executions')
  await rows(page).first().waitFor()
  await expectSoon(() => sum(page, 'success'), '1')
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(await page.evaluate('window.shifted')).toBeLessThanOrEqual(largestShift)
})

testComplaints(web)
