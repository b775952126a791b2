import { afterEach, describe, expect, test } from '@jest/globals'
import { calls } from '@tripline/proto/http/calls'
import { callApi } from '@tripline/testkit/people/call-api'
import { waitUntil } from '@tripline/testkit/wait-until'
import type { Locator, Page } from 'playwright-core'
import { smallTargets } from './small-targets.ts'
import { expectSoon, testComplaints, webFixture } from './web-fixture.ts'
import { executeButton, hidePage, logIn } from './web-person.ts'

const web = webFixture()
const pages: Page[] = []
// A person has so many live streams, of which an open page takes one.
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})

async function openShell(width?: number): Promise<Page> {
  const page = await web.browser.open(width)
  pages.push(page)
  await page.goto('/login?redirect=/profile')
  await logIn(page, web.demo)
  await page.getByText('Profile page - Coming soon').waitFor()
  return page
}

const focused = (page: Page) => page.locator(':focus')
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })

describe('the keyboard', () => {
  test('skips to the content', async () => {
    const page = await openShell()
    await page.reload()
    await page.getByText('Profile page - Coming soon').waitFor()
    await page.keyboard.press('Tab')
    await expectSoon(() => focused(page).textContent(), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.locator('#content:focus').waitFor()
  })

  test('opens the navigation of a narrow window and gets back to where it was', async () => {
    const page = await openShell(390)
    const button = page.getByRole('button', { name: 'Open navigation' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('link', { name: 'Webhook' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.locator('.shell-menu-button:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('link', { name: 'Webhook' }).click()
    await page.waitForURL('/webhook')
  })

  test('finds and does things in the palette', async () => {
    const page = await openShell()
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Search and run' })
    await search.fill('4000000003')
    await expectSoon(
      () => page.getByRole('dialog').getByRole('option').allTextContents(),
      ['Search the history for "4000000003"History'],
    )
    await page.keyboard.press('Enter')
    await page.waitForURL('/executions?search=4000000003')
    await page.keyboard.press('Control+k')
    await search.fill('pause')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Pause trading on all bots?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await search.fill('e503')
    await page.keyboard.press('Enter')
    await page.waitForURL('/executions?search=E503')
    await page.keyboard.press('Control+k')
    await search.fill('ethusdt')
    await page.keyboard.press('Enter')
    await page.waitForURL('/executions?symbol=ETHUSDT')
    await page.keyboard.press('Control+k')
    await search.fill('light theme')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=light]').waitFor()
    await page.keyboard.press('Control+k')
    await search.fill('balance mybot')
    await page.getByRole('option', { name: 'Check Balance on MyBot' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('/terminal')
    await page.getByText('MyBot(BTCUSDT) { balance() }').first().waitFor()
  })

  test('types into the palette from the first letter on, and presses nothing behind it', async () => {
    const page = await openShell()
    await page.getByRole('button', { name: 'Pause trading' }).focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('webhook')
    await expectSoon(() => page.getByRole('combobox', { name: 'Search and run' }).inputValue(), 'webhook')
    await page.keyboard.press('Enter')
    await page.waitForURL('/webhook')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('goes to a screen by two letters, and lists such keys', async () => {
    const page = await openShell()
    const here = page.getByRole('link', { name: 'Webhook' })
    await here.focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.locator('a:focus', { hasText: 'Webhook' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('.palette-search:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('a:focus', { hasText: 'Webhook' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.waitForURL('/notifications')
  })
})

test.each([
  [1440, true],
  [390, false],
])(
  'that exchanges are simulated stands in the bar, at a width of %i in whole: %p',
  async (width, isWhole) => {
    const page = await openShell(width)
    const mark = page.getByTitle(/^Every bot trades play money/)
    await mark.waitFor()
    expect(await mark.getByText('exchanges', { exact: true }).isVisible()).toBe(isWhole)
    const [box, search, bar] = await Promise.all(
      [mark, page.getByRole('button', { name: 'Search and run' }), page.locator('.shell-header')].map(
        (each) => each.boundingBox(),
      ),
    )
    if (!box || !search || !bar) throw new Error('the bar is not there')
    expect(bar.height).toBe(56)
    expect(box.y + box.height).toBeLessThanOrEqual(56)
    expect(box.x + box.width).toBeLessThan(search.x)
  },
)

test('trading is paused, halted and resumed for all bots, after a question', async () => {
  const page = await openShell()
  await page.getByRole('button', { name: 'Pause trading' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pause trading on all bots?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await focused(page).filter({ hasText: 'Pause trading' }).waitFor()
  expect(await tradingState()).toBe('active')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/profile')
  await otherTab.getByRole('button', { name: 'Pause trading' }).waitFor()
  await otherTab.evaluate(hidePage)
  await page.bringToFront()
  await page.keyboard.press('p')
  await dialog.locator('button:focus', { hasText: 'Pause trading' }).waitFor()
  await page.keyboard.press('Enter')
  const paused = 'Trading is paused. Entries are blocked, exits still go through.'
  await page.getByText(paused).waitFor()
  await otherTab.getByText(paused).waitFor()
  await otherTab.close()
  expect(await tradingState()).toBe('reducing')
  await page.getByRole('button', { name: 'Resume trading' }).click()
  await page.getByRole('dialog').locator('button:focus', { hasText: 'Resume trading' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Pause trading' }).click()
  await dialog.getByRole('button', { name: 'Halt all bots' }).click()
  await page.getByText('Trading is halted. No orders are sent to any exchange.').waitFor()
  expect(await tradingState()).toBe('halted')
  await page.getByRole('button', { name: 'Resume trading' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume trading' }).click()
  await page.getByRole('button', { name: 'Pause trading' }).waitFor()
  expect(await tradingState()).toBe('active')
})

test('a webhook that is off stands on every screen, with the way to its settings', async () => {
  const page = await openShell()
  const banner = page.getByText('Webhook is off: alerts are rejected. The Terminal still works.')
  await page.goto('/webhook')
  await page.getByRole('switch', { name: 'Active' }).click()
  await banner.waitFor()
  await page.goto('/executions')
  await banner.waitFor()
  await page.getByRole('link', { name: 'Webhook settings' }).click()
  await page.waitForURL('/webhook')
  await page.getByRole('switch', { name: 'Active' }).click()
  await banner.waitFor({ state: 'hidden' })
})

async function tradingState(): Promise<string> {
  return (await callApi(web.product.urls.web, calls.getTradingState(), web.demo)).state
}

test('an execution that fails is counted in the navigation and in the tab as it happens', async () => {
  const page = await openShell()
  await page.getByRole('img', { name: 'Live events: connected' }).waitFor()
  const count = navigation(page).locator('.failed-count')
  await expectSoon(() => count.count(), 0)
  await fetch(web.demo.webhookUrl, { method: 'POST', body: 'MyBot(BTCUSDT) { market(buy, 1000000) }' })
  await count.getByText('1 failed in the last hour').waitFor()
  await waitUntil(async () => (await page.title()).startsWith('(1) '), { deadlineMs: 30_000 })
  await fetch(web.demo.webhookUrl, { method: 'POST', body: 'MyBot(BTCUSDT) { nonsense }' })
  await count.getByText('2 failed in the last hour').waitFor()
  await count.click()
  await page.waitForURL('/executions?overall_status=failed&range=1h')
  await expectSoon(() => page.locator('[data-execution]').count(), 2)
})

test('a notice stays among the recent messages', async () => {
  const page = await openShell()
  await page.getByRole('button', { name: 'Recent messages, 1 unread' }).click()
  await page.getByRole('tooltip').getByText('Login successful').waitFor()
  await page.getByRole('button', { name: 'Recent messages', exact: true }).waitFor()
})

test('the help of a code leads to its place in the manual, which is searched as one types', async () => {
  const page = await openShell()
  await navigation(page).getByRole('link', { name: 'Terminal' }).click()
  await page.getByLabel('Webhook message').fill('MyBot(BTCUSDT) { merket(buy, 0.01) }')
  await page.getByRole('button', { name: 'Help for E202' }).first().click()
  await page.getByRole('link', { name: 'E202 in the manual' }).first().click()
  await page.waitForURL('/manual#E202')
  const row = page.locator('tr#E202')
  await page.locator('tr#E202:focus').waitFor()
  await row.getByText('unknown command').waitFor()
  await page.getByText('Check the spelling against the list of commands.').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search the manual' })
  await search.fill('E507')
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await expectSoon(() => contents.getByRole('link', { name: 'cancel' }).count(), 0)
  await expectSoon(() => row.count(), 0)
  await page.locator('tr#E507').waitFor()
  await search.fill('zebra')
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await contents.getByRole('link', { name: 'cancel', exact: true }).click()
  await page.waitForURL('/manual#cancel')
  await page.locator('h3#cancel:focus').waitFor()
})

/** Does as the browser does once another tab changed the trading state. */
const changeInOtherTab = `dispatchEvent(new StorageEvent('storage', { key: 'tradingChangedAt' }))`

describe('trouble', () => {
  test('with the server is shown on every screen until it is over', async () => {
    const page = await openShell()
    await page.getByRole('img', { name: 'Live events: connected' }).waitFor()
    await page.evaluate(hidePage)
    await web.product.stopService('gateway')
    await page.getByRole('img', { name: /Live events: reconnecting/ }).waitFor()
    await page.getByText("Can't reach Tripline. Retrying…").waitFor()
    await page.evaluate(changeInOtherTab)
    await page.getByText('Trading status may be out of date').waitFor()
    await web.product.restart('gateway')
    await page.getByRole('img', { name: 'Live events: connected' }).waitFor()
    await page.getByText("Can't reach Tripline. Retrying…").waitFor({ state: 'hidden' })
    await page.getByText('Trading status may be out of date').waitFor({ state: 'hidden' })
  })

  test('with the network is shown at once', async () => {
    const page = await openShell()
    await page.context().setOffline(true)
    await page.getByText("You're offline. Data may be out of date.").waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'hidden' })
  })

  test('with one screen leaves the others alone, and the screen can be tried again', async () => {
    const page = await openShell()
    const files = /\/assets\/notifications-page-[^/]*\.js/
    await page.route(files, (route) => route.abort())
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
    await page.getByRole('link', { name: 'Webhook' }).click()
    await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.unroute(files)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  })
})

test('the chosen theme is there from the first paint on', async () => {
  const page = await web.browser.open()
  await page.goto('/login')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.getByRole('button', { name: 'Switch to the light theme' }).click()
  // Without the app's own scripts only what comes before the first paint can have set it.
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.reload()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
})

describe('a notice', () => {
  test('stands beside the screen in a wide window', async () => {
    const page = await openNotifications(1440)
    await page.getByRole('button', { name: 'Save Settings' }).click()
    const notice = await settledNotice(page, 'Settings saved')
    expect(isApart(await boxOf(notice), await boxOf(page.getByRole('main')))).toBe(true)
  })

  test('does not lie over a control that was just pressed on a phone', async () => {
    const page = await openNotifications(390)
    await page.getByRole('button', { name: 'Save Settings' }).click()
    await page.getByRole('status').filter({ hasText: 'Settings saved' }).waitFor()
    const test = page.getByRole('button', { name: 'Send Test Message' })
    await test.click()
    const notice = await settledNotice(page, /^Test (failed|message sent)/)
    expect(isApart(await boxOf(notice), await boxOf(test))).toBe(true)
  })

  test('does not lie over a dialog on a phone', async () => {
    const page = await openNotifications(390)
    await page.getByRole('button', { name: 'Save Settings' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'Settings saved' })
    await notice.waitFor()
    await page.getByRole('button', { name: 'Pause trading' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await notice.isVisible()).toBe(false)
  })

  test('does not lie over a control that replaced the pressed one on a phone', async () => {
    const page = await web.browser.open(390)
    await page.clock.install()
    await page.route('**/api/auth/password-reset/confirm', (route) =>
      route.fulfill({ json: { message: 'Your password was changed.' } }),
    )
    await page.goto('/reset-password#token=any')
    await page.getByLabel('New password').fill('A long secret 1')
    await page.getByLabel('Confirm password').fill('A long secret 1')
    await page.clock.pauseAt(Date.now() + aMinuteMs)
    await page.getByRole('button', { name: 'Reset Password' }).click()
    const notice = await settledNotice(page, 'Password reset successful')
    const outcome = page.getByRole('main').getByText('Password Reset!')
    expect(isApart(await boxOf(notice), await boxOf(outcome))).toBe(true)
    expect(await smallTargets(page)).toEqual([])
  })

  test('stays for three seconds when all went well or something is missing, and for two as a remark', async () => {
    const page = await openShell()
    await page.clock.install()
    await page.goto('/terminal')
    await page.locator('.cm-content').waitFor()
    await executeButton(page).waitFor()
    await page.clock.pauseAt(Date.now() + aMinuteMs)
    const message = page.getByLabel('Webhook message')
    await message.fill('MyBot(BTCUSDT) { balance() }')
    await message.press('Control+Enter')
    await expectToStay(page, 'Webhook executed successfully', 3000)
    await message.fill('')
    await message.press('Control+Enter')
    await expectToStay(page, 'Empty message', 3000)
    await page.getByRole('button', { name: 'Clear responses' }).click()
    await expectToStay(page, 'Terminal cleared', 2000)
  })

  test('stays for five seconds when something failed', async () => {
    const page = await web.browser.open()
    await page.clock.install()
    await page.goto('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.clock.pauseAt(Date.now() + aMinuteMs)
    await logIn(page, { ...web.demo, password: 'not the password' })
    await expectToStay(page, 'Login failed', 5000)
  })
})

/**
 * The notifications, filled in, where time stands still from now on. They were set up before: after a first save a message
 * can be sent only once the settings are read again and drawn, which time that stands still holds up.
 */
async function openNotifications(width: number): Promise<Page> {
  await setUpNotifications()
  const page = await openShell(width)
  await page.clock.install()
  await page.goto('/notifications')
  await page.getByLabel('Bot Token').fill('123456789:not-a-real-token')
  await page.getByLabel('Chat ID').fill('12345')
  await page.clock.pauseAt(Date.now() + aMinuteMs)
  return page
}

async function setUpNotifications(): Promise<void> {
  const settings = { telegram_bot_token: '123456789:another-token', telegram_chat_id: '54321' }
  await callApi(web.product.urls.web, calls.updateNotifications(settings), web.demo)
}

async function settledNotice(page: Page, title: string | RegExp): Promise<Locator> {
  const notice = page.locator('.ant-notification-notice', { hasText: title })
  await notice.waitFor()
  await page.clock.runFor(1000)
  await page.locator('.ant-notification').last().evaluate(faded)
  return notice
}

type Box = Awaited<ReturnType<Locator['boundingBox']>>

async function boxOf(locator: Locator): Promise<Box> {
  return await locator.boundingBox()
}

function isApart(one: Box | undefined, other: Box | undefined): boolean {
  if (!one || !other) throw new Error('It is not on the screen')
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x
  return isBeside || one.y + one.height <= other.y || other.y + other.height <= one.y
}

const aMinuteMs = 60_000
const littleMs = 100

/** Expects a notice to stay for so long by the clock of its page, which stands still but for this. */
async function expectToStay(page: Page, title: string, ms: number): Promise<void> {
  const here = '.ant-notification-notice:not(.ant-notification-fade-leave)'
  const notice = page.locator(here, { hasText: title })
  await notice.waitFor()
  await page.clock.runFor(ms - littleMs)
  await page.locator('.ant-notification').first().evaluate(faded)
  expect(await notice.count()).toBe(1)
  await page.clock.runFor(2 * littleMs)
  await notice.waitFor({ state: 'hidden' })
}

test('a notice waits while the keyboard is on it, and goes once that has left', async () => {
  const page = await web.browser.open()
  await page.clock.install()
  await page.goto('/login')
  await logIn(page, { ...web.demo, password: 'not the password' })
  const notice = page.locator('.ant-notification-notice', { hasText: 'Login failed' })
  await notice.waitFor()
  await notice.getByRole('button', { name: 'Close' }).focus()
  await page.clock.runFor(60_000)
  // One that goes is still seen while it fades.
  await notice.evaluate(faded)
  await page.clock.runFor(1000)
  expect(await notice.isVisible()).toBe(true)
  await page.getByLabel('Email').focus()
  await page.clock.runFor(60_000)
  await notice.waitFor({ state: 'hidden' })
})

interface Fading {
  getAnimations(options: { subtree: boolean }): { finished: Promise<unknown> }[]
}

/** Runs in the page. */
async function faded(element: unknown): Promise<void> {
  const running = (element as Fading).getAnimations({ subtree: true })
  await Promise.allSettled(running.map(({ finished }) => finished))
}

testComplaints(web)
