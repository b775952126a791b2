import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { TokenPair } from '@tripline/proto/http/auth'
import { calls } from '@tripline/proto/http/calls'
import { paperControl } from '@tripline/testkit/paper-control'
import { callApi } from '@tripline/testkit/people/call-api'
import { logIn } from '@tripline/testkit/people/person'
import { linkRealBot } from '@tripline/testkit/people/real-bot'
import { startSecondGateway } from '@tripline/testkit/second-gateway'
import type { Locator, Page } from 'playwright-core'
import { startBrowser } from '../browser.ts'
import { expectSoon, testComplaints, webFixture } from '../web-fixture.ts'
import { enterSession, executeButton } from '../web-person.ts'

const web = webFixture()

beforeAll(async () => {
  tokens = await logIn(web.product.urls.web, web.demo)
  const faster = calls.updateWebhookConfig({ max_requests_per_minute: 60 })
  await callApi(web.product.urls.web, faster, { accessToken: tokens.access_token })
})

let tokens: TokenPair
const opened: Page[] = []

afterEach(async () => {
  // An account may listen to so many streams at a time only.
  for (const page of opened.splice(0)) await page.context().close()
})

/** The terminal of the demo account, with its editor loaded and its stream live. */
async function openTerminal(width?: number): Promise<Page> {
  const page = await web.browser.open(width)
  opened.push(page)
  await enterSession(page, tokens)
  await page.goto('/terminal')
  await page.getByText('● Live Stream').waitFor({ state: 'attached' })
  await page.locator('.cm-content').waitFor()
  await executeButton(page).waitFor()
  return page
}

const editor = (page: Page): Locator => page.getByLabel('Webhook message')
const monitor = (page: Page): Locator => page.getByRole('region', { name: 'Response Monitor' })
const preview = (page: Page): Locator => page.getByRole('region', { name: 'What it would do now' })
const log = (page: Page): Locator => page.getByRole('log')
const recent = (page: Page): Locator => page.getByRole('region', { name: 'Recent Webhooks' })

/** Returns the text in the editor. */
async function written(page: Page): Promise<string> {
  return (await page.locator('.cm-line').allTextContents()).join('\n')
}

async function execute(page: Page, message: string): Promise<void> {
  await editor(page).fill(message)
  await page.keyboard.press('Control+Enter')
}

/** Presses Tab until the keyboard is on what is called so. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.locator(':focus').textContent()
    if (focused?.trim() === name) return
  }
  throw new Error(`The keyboard does not reach "${name}"`)
}

async function setTrading(state: 'active' | 'reducing'): Promise<void> {
  const call = calls.updateTradingState({ state })
  await callApi(web.product.urls.web, call, { accessToken: tokens.access_token })
}

describe('2 and 4, terminal (/terminal): a message', () => {
  test('has one field to be written in at any time while the editor is loaded', async () => {
    const page = await web.browser.open()
    opened.push(page)
    await enterSession(page, tokens)
    await page.addInitScript(`
      window.fieldCounts = new Set()
      const count = () => fieldCounts.add(document.querySelectorAll('[aria-label="Webhook message"]').length)
      new MutationObserver(count).observe(document, { childList: true, subtree: true })
    `)
    await page.goto('/terminal')
    await page.locator('.cm-content').waitFor()
    expect(await page.evaluate('[...fieldCounts]')).toEqual([0, 1])
  })

  test('is completed, checked, fixed, foreseen and executed while the hands stay on the keyboard', async () => {
    const page = await openTerminal()
    await page.locator('.bot-chip', { hasText: 'MyBot' }).click()
    await page.getByText('Write a command between the braces, or choose a Quick Action.').waitFor()
    await page.keyboard.type('mar')
    await page.getByRole('option', { name: 'market command' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('buy, 0.01')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('balnce')
    await page.getByRole('button', { name: 'Replace with balance' }).waitFor()
    await page.keyboard.press('Control+.')
    expect(await written(page)).toBe('MyBot(BTCUSDT) {\n  market(buy, 0.01)\n  balance\n}')

    await preview(page).getByText('buy 0.01 at market').waitFor()
    await preview(page).getByText('Paper Futures', { exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('2/2 command(s) completed').waitFor()
    const journal = await paperControl(web.product.urls.paper).journal()
    expect(journal).toMatchObject([{ op: 'place', symbol: 'BTCUSDT', side: 'BUY', outcome: 'accepted' }])
    expect(await monitor(page).getByRole('article').textContent()).toContain(
      `order ${journal[0]?.venueOrderId}`,
    )
    await log(page).getByText('MyBot(BTCUSDT) success').waitFor()
    // The event of a ready client comes too, at its own time.
    const ofAlert = log(page)
      .locator('.log-message')
      .filter({ hasNotText: / is ready on / })
    expect((await ofAlert.allTextContents()).slice(1)).toEqual([
      'MyBot(BTCUSDT) received',
      'market BTCUSDT',
      'buy 0.01 BTCUSDT sent',
      'buy 0.01 BTCUSDT acknowledged',
      'market BTCUSDT done',
      'balance BTCUSDT',
      'balance BTCUSDT done',
      'MyBot(BTCUSDT) success',
    ])
  })

  test('is completed with each letter at once, however long the list of words is shown already', async () => {
    const page = await openTerminal()
    await page.locator('.bot-chip', { hasText: 'MyBot' }).click()
    await page.keyboard.type('m')
    await page.getByRole('option', { name: 'market command' }).waitFor()
    await page.keyboard.type('a')
    await page.keyboard.press('Tab')
    await expectSoon(async () => (await written(page)).includes('market('), true)
  })

  test('is refused before it is sent where the exchange would refuse it', async () => {
    const page = await openTerminal()
    await editor(page).fill('MyBot(BTCUSDT) { market(buy, 1000000) }')
    await preview(page)
      .getByText(/^market E5/)
      .waitFor()
    await editor(page).fill('MyBot(NOSUCHUSDT) { balance }')
    await preview(page).getByText(/^E4/).waitFor()
  })

  test('is planned again when trading is paused, and while it is looked at; its age is shown', async () => {
    const page = await openTerminal()
    await editor(page).fill('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await preview(page).getByText('buy 0.01 at market').waitFor()
    await preview(page)
      .getByText(/^(?:now|\d+ s ago)$/)
      .waitFor()
    await setTrading('reducing')
    await preview(page)
      .getByText(/^market E516/)
      .waitFor()
    await setTrading('active')
  })

  test('leaves everything that can be pressed where it is when its preview comes', async () => {
    const page = await openTerminal()
    await page.locator('.bot-chip', { hasText: 'MyBot' }).click()
    const places = async () => {
      const pressed = [executeButton(page), page.getByRole('button', { name: 'Close All Positions' })]
      return await Promise.all(pressed.map((button) => button.boundingBox()))
    }
    const before = await places()
    await page.getByRole('button', { name: 'Short (fast execution)' }).click()
    await preview(page).getByText('sell 0.01 at market').waitFor()
    expect(await places()).toEqual(before)
  })

  test('is written at once by one key from another screen, and stays over a reload with the events', async () => {
    const page = await openTerminal()
    await execute(page, 'MyBot(BTCUSDT) { balance }')
    await log(page).getByText('balance BTCUSDT done').first().waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL('/dashboard')
    await page.keyboard.press('m')
    await page.waitForURL('/terminal')
    await page.locator('.cm-content:focus').waitFor()
    await page.keyboard.type(' # later')
    await page.reload()
    await page.locator('.cm-content').waitFor()
    await expectSoon(async () => await written(page), 'MyBot(BTCUSDT) { balance } # later')
    await log(page).getByText('balance BTCUSDT done').first().waitFor()
  })

  test('shows what is wrong with it, once it is sent all the same', async () => {
    const page = await openTerminal()
    await execute(page, '   ')
    await page.getByText('Please enter a webhook message').waitFor()
    await execute(page, 'MyBot(BTCUSDT) { markte(buy, 0.01) }')
    await page.getByText('Request failed').waitFor()
    expect(await monitor(page).getByRole('article').textContent()).toContain('E202')
    await execute(page, 'MyBot(BTCUSDT) { market(buy, 1000000) }')
    await page.getByText('Webhook execution failed').waitFor()
    await execute(page, 'MyBot(BTCUSDT) { balance; market(buy, 1000000) }')
    await page.getByText('Partly executed: 1 of 2 commands done').waitFor()
  })

  test('explains by keyboard the meaning of a code, wherever one is shown', async () => {
    const page = await openTerminal()
    await editor(page).fill('MyBot(BTCUSDT) { markte(buy, 0.01) }')
    const openHelp = async (place: Locator, code = 'E202', next = 'Check the spelling against the list') => {
      await place.getByRole('button', { name: `Help for ${code}` }).focus()
      await page.keyboard.press('Enter')
      await place.getByText(next).waitFor()
    }
    const problems = page.getByRole('list', { name: 'Problems of the message' })
    await openHelp(problems)
    await page.keyboard.press('Enter')
    await problems.getByText('Next step').waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+Tab')
    await problems.getByRole('button', { name: 'Replace with market' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Execute' }).click()
    await openHelp(page.locator('.ant-notification-notice', { hasText: 'Request failed' }))
    await openHelp(monitor(page).getByRole('article'))
    await editor(page).fill('MyBot(BTCUSDT) { market(buy, 1000000) }')
    await openHelp(preview(page), 'E503', 'Split the order, or order less.')
  })

  test('is mended by its fix, and formatted', async () => {
    const page = await openTerminal()
    await editor(page).fill('MyBot(BTCUSDT) {balnce}')
    await page.getByRole('button', { name: 'Replace with balance' }).click()
    await page.getByRole('button', { name: 'Format' }).click()
    expect(await written(page)).toBe('MyBot(BTCUSDT) {\n  balance\n}')
    // A digit chooses a bot only from the chips, not from the dialog that is opened beside them.
    await page.getByRole('button', { name: 'Add a Paper bot' }).click()
    await page.getByRole('dialog').getByLabel('Label').pressSequentially('Bot1')
    await expectSoon(() => page.getByRole('dialog').getByLabel('Label').inputValue(), 'Bot1')
    await page.keyboard.press('Escape')
    expect(await written(page)).toBe('MyBot(BTCUSDT) {\n  balance\n}')
  })
})

describe('2 and 4, terminal: left panel and Response Monitor', () => {
  test('shows the preview of a Quick Action whole, with the stop and the take-profit', async () => {
    const page = await openTerminal()
    await page.locator('.bot-chip', { hasText: 'MyBot' }).click()
    await page.getByRole('button', { name: 'Long (10x leverage + TP/SL)' }).click()
    await preview(page).getByText('take-profit at mark').waitFor()
    const hidden = () =>
      preview(page).evaluate((shown) => {
        const body = shown.closest('.panel-body')
        return body === null ? undefined : body.scrollHeight - body.clientHeight
      })
    await expectSoon(hidden, 0)
  })

  test('works from chip to execution and back to the message by keyboard alone', async () => {
    const page = await openTerminal()
    await page.getByRole('heading', { name: 'REAL-TIME LOG', exact: true }).waitFor()
    // The only bot is selected by itself.
    const chip = page.getByRole('radio', { name: 'MyBot' })
    await expectSoon(() => chip.isChecked(), true)
    await chip.focus()
    await page.keyboard.press('1')
    expect(await written(page)).toBe('MyBot(BTCUSDT) {\n  \n}')
    await tabTo(page, 'Check Balance')
    await page.keyboard.press('Enter')
    // A Quick Action fills the editor and leaves the sending to the person.
    expect(await written(page)).toBe('MyBot(BTCUSDT) { balance() }')
    await monitor(page).getByText('No responses yet. Send a webhook to see results here.').waitFor()
    await page.keyboard.press('Escape')
    await tabTo(page, 'Execute')
    await page.keyboard.press('Enter')
    await monitor(page).getByText('USDT total').waitFor()
    await tabTo(page, 'MyBot → balance')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Reuse')
    await page.keyboard.press('Enter')
    await page.locator('.cm-content:focus').waitFor()
    expect(await written(page)).toBe('MyBot(BTCUSDT) { balance() }')
  })

  test('asks once before a Quick Action trades with real money', async () => {
    await linkRealBot(web.product, tokens.access_token, 'RealBot')
    const page = await openTerminal()
    // One of the palette is one, too.
    await page.keyboard.press('Control+k')
    await page.locator('.palette-search').fill('check balance on realbot')
    await page.getByRole('option', { name: 'Check Balance on RealBot' }).first().waitFor()
    await page.keyboard.press('Enter')
    await preview(page).getByText('Mainnet', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Execute' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('RealBot trades on the exchange itself').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectSoon(() => monitor(page).getByRole('article').count(), 0)
    await page.getByRole('button', { name: 'Execute' }).click()
    await dialog.getByRole('button', { name: 'Execute' }).click()
    await monitor(page).getByText('USDT total').waitFor()
    await page.getByText('Check Balance').click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await monitor(page).getByRole('article').nth(1).waitFor()
  })

  test('keeps pinned messages first, and forgets the deleted ones', async () => {
    const page = await openTerminal()
    await execute(page, 'MyBot(BTCUSDT) { balance }')
    await page.getByText('1/1 command(s) completed').waitFor()
    await recent(page).getByText('MyBot → balance').click()
    await recent(page).getByRole('button', { name: 'Pin' }).click()
    await execute(page, 'MyBot(ETHUSDT) { cancel; balance }')
    await recent(page).getByText('MyBot → cancel → balance').waitFor()
    const summaries = () => recent(page).locator('summary').allTextContents()
    expect(await summaries()).toEqual(['MyBot → balance', 'MyBot → cancel → balance'])
    await page.reload()
    await expectSoon(() => recent(page).locator('summary').first().textContent(), 'MyBot → balance')
    await recent(page).getByText('MyBot → balance').click()
    await recent(page).getByRole('button', { name: 'Delete' }).click()
    expect(await summaries()).toEqual(['MyBot → cancel → balance'])
  })

  test('opens a response to its request and its whole JSON, and shows where the time went', async () => {
    const page = await openTerminal()
    // A browser that has no room left sends all the same.
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await execute(page, 'MyBot(BTCUSDT) { balance() }')
    await recent(page).getByText('MyBot → balance').waitFor()
    const card = monitor(page).getByRole('article')
    await card.getByText('Request and response').click()
    await card.getByText('"execution_time_ms": ').waitFor()
    await card.locator('.speed-badge').hover()
    for (const part of ['Backend execution time', 'HTTP overhead', 'Total']) {
      await page.getByRole('tooltip').getByText(part).waitFor()
    }
    await card.getByRole('link', { name: 'Open in Execution History' }).click()
    await page.getByText('balance', { exact: true }).first().waitFor()
    await page.goBack()
    const cleared = page.getByText('Terminal cleared').waitFor()
    await page.getByRole('button', { name: 'Clear responses' }).click()
    await cleared
    await page.getByText('No responses yet. Send a webhook to see results here.').waitFor()
  })

  test('has a part at a time on a phone, and nothing beside the screen', async () => {
    const page = await openTerminal(360)
    await page.locator('.bot-chip', { hasText: 'MyBot' }).click()
    await page.getByText('Check Balance').click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await monitor(page).getByText('USDT total').waitFor()
    await page.getByRole('tab', { name: 'Send' }).click()
    await expectSoon(() => monitor(page).isVisible(), false)
    await page.getByRole('tab', { name: 'Responses 1' }).click()
    await page.keyboard.press('ArrowRight')
    await log(page).getByText('balance BTCUSDT done').waitFor()
    await page.getByText('● Live Stream').waitFor()
    await expectSoon(() => editor(page).isVisible(), false)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})

describe('2, terminal, word by word', () => {
  let page: Page
  beforeAll(async () => {
    page = await openTerminal()
    // It stays open for all of these.
    opened.splice(opened.indexOf(page), 1)
  })
  afterAll(async () => await page.context().close())

  test('"A multi-line webhook editor (7 rows)"', async () => {
    const [height = 0, lineHeight = 1] = await page.evaluate<number[]>(`[
      document.querySelector('.cm-editor').clientHeight,
      document.querySelector('.cm-line').getBoundingClientRect().height,
    ]`)
    expect(Math.floor(height / lineHeight)).toBe(7)
  })

  test('"One chip per API key label. Clicking a chip selects it and fills the editor with a template"', async () => {
    await page.getByText('Select an API key above to use Quick Actions').waitFor()
    await page.locator('.bot-chip', { hasText: 'MyBot' }).click()
    expect(await written(page)).toBe('MyBot(BTCUSDT) {\n  \n}')
  })

  test('"Quick Actions, shown only after a key is selected"', async () => {
    const actions = page.getByRole('region', { name: 'Quick Actions' }).getByRole('button')
    expect(await actions.allTextContents()).toEqual([
      'Long (10x leverage + TP/SL)',
      'Short (fast execution)',
      'Close All Positions',
      'Check Balance',
    ])
  })

  test('"A response count badge and a clear button (disabled when empty)"', async () => {
    const clear = page.getByRole('button', { name: 'Clear responses' })
    expect(await clear.isDisabled()).toBe(true)
    expect(await monitor(page).locator('.panel-count').textContent()).toBe('0')
    await execute(page, 'MyBot(BTCUSDT) { balance }')
    await page.getByText('1/1 command(s) completed').waitFor()
    expect(await monitor(page).locator('.panel-count').textContent()).toBe('1')
    expect(await clear.isDisabled()).toBe(false)
  })

  test('beside the specification: a command that found nothing to do has a notice of its own, and none of success', async () => {
    await execute(page, 'MyBot(ETHUSDT) { cancel }')
    const notice = page.locator('.ant-notification-notice', { hasText: 'Nothing to do' })
    await notice.getByText(/No order was placed\.$/).waitFor()
    expect(await notice.locator('.ant-notification-notice-icon-info').count()).toBe(1)
    await page.getByRole('button', { name: 'Clear responses' }).click()
    await execute(page, 'MyBot(BTCUSDT) { balance }')
    await page.getByText('1/1 command(s) completed').waitFor()
  })

  test('"Each response card has a green or red border, the symbol, one row per command (name and details), ... and a time"; "newest first" (4)', async () => {
    await execute(page, 'MyBot(BTCUSDT) { market(buy, 1000000) }')
    const cards = monitor(page).getByRole('article')
    await cards.nth(1).waitFor()
    const borders = await page.evaluate<string[]>(`
      [...document.querySelectorAll('.response-card')].map((card) => getComputedStyle(card).borderLeftColor)
    `)
    expect(borders).toEqual(['rgb(255, 123, 114)', 'rgb(63, 185, 80)'])
    const succeeded = cards.nth(1)
    await succeeded.locator('.response-title', { hasText: 'BTCUSDT' }).waitFor()
    expect(await succeeded.locator('.command-rows > li').allTextContents()).toEqual([
      expect.stringMatching(/balance.*USDT total/),
    ])
    expect(await succeeded.locator('time').textContent()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  })

  test('"An event count", and "Each row: millisecond time, an icon and colour by event type, and the message"', async () => {
    const lines = log(page).locator('.log-line')
    await lines.nth(5).waitFor()
    await expectSoon(
      async () => await page.locator('.log-count').textContent(),
      `${await lines.count()} events`,
    )
    for (const time of await lines.locator('time').allTextContents())
      expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
    expect(await log(page).locator('.log-line > .anticon').count()).toBe(await lines.count())
  })

  test('"each has its own icon and colour" (3), commands that start or succeed and keep-alives too', async () => {
    const colors = await page.evaluate<string[]>(`
      ['webhook', 'client_pool', 'command', 'exchange', 'oco', 'error', 'connected', 'start', 'success', 'keepalive']
        .map((look) => {
          const line = document.querySelector('.log-line').cloneNode(true)
          line.className = 'log-line log-' + look
          document.querySelector('[role=log]').append(line)
          const { color } = getComputedStyle(line.querySelector('.anticon'))
          line.remove()
          return color
        })
    `)
    expect(new Set(colors).size).toBe(colors.length)
  })
})

describe('2 and 4, terminal: Real-Time Log panel', () => {
  test('shows now and then, by a "client_pool" event of "phase keepalive", that bots are connected', async () => {
    const gateway = await startSecondGateway(web.product, { STREAM_CLIENT_CHECK_MS: '500' })
    const browser = await startBrowser(gateway.url)
    try {
      const page = await browser.open()
      await enterSession(page, tokens)
      await page.goto('/terminal')
      const line = log(page).locator('.log-keepalive', { hasText: /MyBot(,| is connected)/ })
      // Equal ones in a row are one line.
      await line.locator('.log-times', { hasText: '×2' }).waitFor()
      expect(await line.count()).toBe(1)
    } finally {
      await browser.stop()
      await gateway.stop()
    }
  })

  test('shows requested executions, holds the list while it is read, and leads to the history', async () => {
    const page = await openTerminal()
    const lines = log(page).locator('.log-message')
    await execute(page, 'MyBot(BTCUSDT) { balance }')
    await log(page).getByText('MyBot(BTCUSDT) success').waitFor()
    await page.getByLabel('Filter by text').fill('done')
    await expectSoon(() => lines.allTextContents(), ['balance BTCUSDT done'])
    await page.getByLabel('Filter by text').fill('')
    await page.getByRole('button', { name: 'Webhook', exact: true }).click()
    await expectSoon(() => lines.allTextContents(), ['Connected', 'balance BTCUSDT', 'balance BTCUSDT done'])

    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await execute(page, 'MyBot(ETHUSDT) { balance }')
    await page.getByText('4 new').waitFor()
    await expectSoon(() => lines.count(), 3)
    await page.getByRole('button', { name: 'Resume' }).click()
    await log(page).getByText('balance ETHUSDT done').click()
    await page.waitForURL(/\/executions\?id=/)
  })

  test('follows its end only while the person is there', async () => {
    const page = await openTerminal()
    const sixCommands = `MyBot(BTCUSDT) { ${Array.from({ length: 6 }, () => 'balance').join('; ')} }`
    await execute(page, sixCommands)
    await log(page).getByText('MyBot(BTCUSDT) success').waitFor()
    await log(page).evaluate((box) => box.scrollTo({ top: 0 }))
    await page.getByText('Jump to latest', { exact: true }).waitFor()
    await execute(page, 'MyBot(ETHUSDT) { balance }')
    await page.getByText('Jump to latest (4)').click()
    await log(page).getByText('MyBot(ETHUSDT) success').waitFor()
    const isAtEnd =
      'const b = document.querySelector("[role=log]"); b.scrollHeight - b.scrollTop - b.clientHeight <= 10'
    expect(await page.evaluate(isAtEnd)).toBe(true)
  })

  test('goes on after a restart of the server', async () => {
    const page = await openTerminal()
    const stopping = web.product.stopService('gateway')
    // Each attempt is counted, and on a busy machine the first one's second may pass unseen.
    await page.getByText(/⟳ Reconnecting \(\d+\)\.\.\./).waitFor()
    await page.getByText(/⟳ Reconnecting \((?!1\))\d+\)\.\.\./).waitFor()
    await stopping
    await web.product.restart('gateway')
    await page.getByText('● Live Stream').waitFor()
    await execute(page, 'MyBot(BTCUSDT) { balance() }')
    await log(page).getByText('balance BTCUSDT done').waitFor()
  })
})

testComplaints(web)
