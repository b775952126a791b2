import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Call, patientCallerOf } from '@tripline/testkit/people/caller'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import type { Page } from 'playwright-core'
import { expectSoon, testComplaints, webFixture } from '../web-fixture.ts'
import { enterSession } from '../web-person.ts'

const buy = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const mixed = 'MyBot(BTCUSDT) { balance; market(buy, 100000); cancel }'

let call: Call
let person: Trader
let webhook: string

// A caller that hangs up in the middle of a slow alert does so before the answer, on a slow machine too.
const web = webFixture(() => ({ ACCESS_TOKEN_MINUTES: '60', RESULT_WAIT_MS: '20000' }))

beforeAll(async () => {
  call = patientCallerOf(web.product.urls.web)
})

beforeEach(async () => {
  person = await newTrader(web.product)
  webhook = `POST ${new URL(person.webhookUrl).pathname}`
})

const send = async (message: string) => await call(webhook, { raw: message })

async function openHistory(query = '', width?: number): Promise<Page> {
  const page = await web.browser.open(width)
  await enterSession(page, person.tokens)
  await page.goto(`/executions${query}`)
  await page.getByRole('heading', { level: 1, name: 'Execution History' }).waitFor()
  return page
}

const openDetails = "document.querySelectorAll('.execution-details').length"
const rows = (page: Page) => page.locator('[data-execution]')
const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

describe('2 and 4, execution history (/executions)', () => {
  test('says why nothing arrived yet, and shows new rows at once unless the list is scrolled or a row is open', async () => {
    const page = await openHistory()
    await page.getByText('No executions yet').waitFor()
    await expectSoon(() => page.locator('.empty-history li').count(), 5)
    await page.getByText('Live updates every 5s').waitFor()

    await send(buy)
    await rows(page).first().hover()
    await send(buy)
    // Being on the list, with the pointer or the keyboard, holds nothing.
    await expectSoon(() => rows(page).count(), 2)
    await rows(page).first().click()
    await page.getByText('Received').waitFor()
    await send(buy)
    await page.getByRole('button', { name: '1 new execution' }).click()
    await expectSoon(() => rows(page).count(), 3)
    await expectSoon(() => rows(page).nth(1).getAttribute('aria-expanded'), 'true')
    await rows(page).nth(1).click()

    await page.setViewportSize({ width: 1440, height: 400 })
    await page.evaluate('scrollTo(0, 50)')
    await send(buy)
    await page.getByRole('button', { name: '1 new execution' }).waitFor()
    expect(await rows(page).count()).toBe(3)
    await page.evaluate('scrollTo(0, 0)')
    await expectSoon(() => rows(page).count(), 4)
    await page.route('**/api/webhook-executions?*', async (route) => await route.abort())
    await page.getByText('No live updates at the moment').waitFor()
    await page.unroute('**/api/webhook-executions?*')
    await page.getByText('Live updates every 5s').waitFor()
  })

  test('"Each row expands and collapses individually or all at once. Each command\'s response or error expands too"', async () => {
    await send(buy)
    await send(mixed)
    const page = await openHistory()
    await rows(page).nth(1).waitFor()
    await rows(page).first().click()
    await page.waitForFunction(`${openDetails} === 1`)
    await rows(page).first().click()
    await page.waitForFunction(`${openDetails} === 0`)
    await page.getByRole('button', { name: 'Expand all' }).click()
    await page.waitForFunction(`${openDetails} === 2`)
    const response = page.locator('.execution-details details', { hasText: 'Response' }).first()
    expect(await response.getAttribute('open')).toBeNull()
    await response.locator('summary').first().click()
    await response.getByText('"client_order_id"').or(response.getByText('"equity"')).first().waitFor()
    // Decided otherwise: an error is read at once; of it only the exchange's own words are folded.
    await page.locator('.error-title', { hasText: 'E503' }).waitFor()
    await page.getByRole('button', { name: 'Collapse all' }).click()
    await page.waitForFunction(`${openDetails} === 0`)
  })

  test('says that an alert came again whose caller got no answer', async () => {
    const page = await openHistory()
    const hangingUp = new AbortController()
    const slow = 'MyBot(BTCUSDT) { wait(12s); market(buy, 0.01) }'
    const url = new URL(webhook.replace('POST ', ''), web.product.urls.web)
    const first = fetch(url, { method: 'POST', body: slow, signal: hangingUp.signal })
    await rows(page).first().waitFor()
    hangingUp.abort()
    await expect(first).rejects.toThrow()
    // A charting platform sends again after 5 s; by then an alert without an answer can be taken over.
    await sleep(5000)
    const again = await fetch(url, { method: 'POST', body: slow })
    expect(await again.json()).toMatchObject({ resent_as: expect.any(String) })
    await expectSoon(() => rows(page).count(), 1)
    await rows(page).first().click()
    await page.getByText('Received again before the answer was out').waitFor()
  })

  test('"only while ... the browser tab is visible; it pauses while hidden"', async () => {
    const page = await openHistory()
    await page.getByText('No executions yet').waitFor()
    await page.clock.install()
    await show(page, false)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/webhook-executions?')) asked.push(request.url())
    })
    await page.clock.runFor(60_000)
    expect(asked).toEqual([])
    const next = page.waitForRequest(/api\/webhook-executions\?.*offset=0/)
    await show(page, true)
    await next
  })

  test('shows each stage, and for an error its meaning, the remedy, and its place in the message', async () => {
    await send(mixed)
    const page = await openHistory()
    await rows(page).first().click()
    const details = page.locator('.execution-details')
    await details.getByText('3 commands').waitFor()
    for (const text of ['E503', 'is above the maximum quantity', 'Next step:'])
      await details.getByText(text).first().waitFor()
    // The cause is shown once, as it is of this order.
    expect(await details.getByText('The size is above the maximum of this symbol.').count()).toBe(0)
    expect((await details.locator('mark').allTextContents()).join('')).toBe('market(buy, 100000)')
    await details.locator('summary', { hasText: 'Response' }).first().click()
    await details.getByText('"equity"').waitFor()

    await send('MyBot(BTCUSDT) { markte(buy, 1) }')
    await page.goto('/executions?overall_status=failed')
    await page.getByText('E202 unknown command "markte"').first().waitFor()
    await rows(page).first().click()
    await details.getByText('Refused; nothing was executed').waitFor()
    await expectSoon(() => details.locator('mark').allTextContents(), ['markte'])
  })

  test('"Changing any filter resets the offset to 0": is filtered by a click, in its address, and Back undoes that', async () => {
    await send(buy)
    await send('MyBot(ETHUSDT) { balance }')
    const page = await openHistory('?offset=20')
    await page.getByText('No more executions.').waitFor()
    await page.getByLabel('Symbol', { exact: true }).fill('ETHUSDT')
    await page.getByLabel('Symbol', { exact: true }).press('Enter')
    await page.waitForURL('/executions?symbol=ETHUSDT')
    await page.getByText('1 execution', { exact: true }).waitFor()
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('No execution matches these filters.').waitFor()
    await page.getByRole('button', { name: 'Remove filter Symbol: ETHUSDT' }).click()
    await page.waitForURL('/executions?overall_status=failed')
    await page.goBack()
    await page.goBack()
    await rows(page).first().waitFor()
    await expectSoon(() => page.getByLabel('Symbol', { exact: true }).inputValue(), 'ETHUSDT')
  })

  test('"Executions page size 20, offset paging" (9): is read page by page, and leaves as a file', async () => {
    for (let count = 0; count < 21; count++) await send('MyBot(BTCUSDT) { balance }')
    const page = await openHistory()
    await page.getByText('1–20 of 21').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('21–21 of 21').waitFor()
    await page.getByText('Live updates only on page 1').waitFor()
    await page.goto('/executions?offset=40')
    await page.getByText('No more executions.').waitFor()
    await page.getByRole('button', { name: 'First page' }).click()
    await page.getByText('1–20 of 21').waitFor()

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('executions.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(22)
  })
})

/** Makes the page believe that its tab was left, or is looked at again. */
async function show(page: Page, isVisible: boolean): Promise<void> {
  const state = isVisible ? 'visible' : 'hidden'
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    window.dispatchEvent(new Event('visibilitychange'))
  `)
}

describe('beside the specification: one execution', () => {
  test('has a link, goes to the terminal unsent, and can be sent again by hand without its token', async () => {
    await send(buy)
    const page = await openHistory()
    await rows(page).first().click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied to clipboard').waitFor()
    expect(await clipboard(page)).toContain(`--data-binary '${buy}'`)
    expect(await clipboard(page)).toContain('/webhook/$WEBHOOK_TOKEN')
    await page.getByRole('button', { name: 'Copy link' }).click()
    const id = await rows(page).first().getAttribute('data-execution')
    await page.waitForFunction(`navigator.clipboard.readText().then((text) => text.endsWith('?id=${id}'))`)

    await page.goto(await clipboard(page))
    await page.getByRole('link', { name: 'All executions' }).waitFor()
    await page.getByText('acknowledged order').waitFor()
    await page.getByRole('link', { name: 'Open in Terminal' }).click()
    await page.waitForURL('/terminal')
    await page.goto('/executions?id=01ARZ3NDEKTSV4RRFFQ69G5FAV-0')
    await page.getByText('This execution is not in your history.').waitFor()
  })

  test('is reached, opened and copied by keyboard alone', async () => {
    await send(buy)
    await send(mixed)
    const page = await openHistory()
    await rows(page).nth(1).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('acknowledged order').waitFor()
    await page.keyboard.press('c')
    await page.getByText('Copied to clipboard').waitFor()
    expect(JSON.parse(await clipboard(page))).toMatchObject({ webhook_payload: { message: buy } })
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.getByText('E503').first().waitFor()
    await page.keyboard.press('e')
    await page.waitForFunction(`${openDetails} === 0`)
    await page.keyboard.press('e')
    await page.waitForFunction(`${openDetails} === 2`)
  })
})

test('2, "A colorblind-mode toggle": statuses can be shown in colors that everybody distinguishes, and stay so', async () => {
  await send(buy)
  const page = await openHistory()
  await page.getByLabel('Colorblind mode').check()
  const color = await page.evaluate(
    "getComputedStyle(document.documentElement).getPropertyValue('--success').trim()",
  )
  expect(color).toBe('#58a6ff')
  await page.reload()
  await rows(page).first().waitFor()
  await expectSoon(() => page.getByLabel('Colorblind mode').isChecked(), true)
})

test('2, "A table on wide screens and cards on small screens": a phone shows cards with the same parts, and nothing is wider than it', async () => {
  await send(mixed)
  // The longest label that a bot may have.
  const label = 'Scalper of BTC and ETH on 5 minutes with wide stop'
  const body = { label, exchange: 'paper', market_type: 'futures' }
  await call('POST /api/keys', { token: person.tokens.access_token, body })
  await send(`${label}(BTCUSDT) { balance(NONE) }`)
  const page = await openHistory('', 360)
  await page.getByRole('article').getByText(label).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  const card = page.getByRole('article').filter({ hasText: 'partial' })
  for (const text of ['MyBot', 'BTCUSDT', 'partial', 'balance → market → cancel', 'Paper Futures']) {
    await card.getByText(text).first().waitFor()
  }
  // A tap anywhere opens it, and filters nothing.
  await card.getByText('partial').first().click()
  await card.getByText('Open in Terminal').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
})

testComplaints(web)
