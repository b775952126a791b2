import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { logIn } from '@tripline/testkit/people/person'
import { type TestTelegram, telegram } from '@tripline/testkit/telegram'
import type { Page } from 'playwright-core'
import { expectSoon, testComplaints, webFixture } from '../web-fixture.ts'
import { enterSession, everythingOn, expectNotice } from '../web-person.ts'

// Each test opens pages of its own, which a busy machine draws slowly.
jest.setTimeout(120_000)

let stand: TestTelegram
const botToken = '123456789:AAtoken-of-the-test'

beforeAll(async () => {
  stand = await telegram()
  stand.addBot(botToken, '4711')
})

const web = webFixture(() => ({ TELEGRAM_API_URL: stand.url }))

afterAll(async () => await stand?.stop())

/** A page of the demo user, in a session of its own. */
async function open(path: string): Promise<Page> {
  const page = await web.browser.open()
  await enterSession(page, await logIn(web.product.urls.web, web.demo))
  await page.goto(path)
  return page
}

async function openWebhook(): Promise<Page> {
  const page = await open('/webhook')
  await region(page, 'Webhook URL').waitFor()
  return page
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

async function send(url: string, message = 'MyBot(BTCUSDT) { balance }'): Promise<number> {
  return (await fetch(`${url}?wait=20000`, { method: 'POST', body: message })).status
}

describe('2, webhook configuration (/webhook)', () => {
  test('hides the token, also from the page itself, and copies it all the same', async () => {
    const page = await openWebhook()
    const token = web.demo.webhookUrl.split('/').at(-1) ?? ''
    expect((await everythingOn(page)).includes(token)).toBe(false)
    await page.getByRole('button', { name: 'Copy webhook URL' }).click()
    await page.getByText('Copied to clipboard').waitFor()
    expect(await copied(page)).toBe(web.demo.webhookUrl)
    await page.getByRole('button', { name: 'Show the whole URL' }).click()
    await region(page, 'Webhook URL').getByText(web.demo.webhookUrl).waitFor()
    await page.getByRole('button', { name: 'Hide the token' }).click()
    expect((await everythingOn(page)).includes(token)).toBe(false)
  })

  test('turns the webhook off and, by the notice, on again', async () => {
    const page = await openWebhook()
    const active = page.getByRole('switch', { name: 'Active' })
    await active.click()
    // A notice stays while the keyboard is on it.
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.focus()
    await page.getByText('Webhook turned off').waitFor()
    await expectSoon(() => send(web.demo.webhookUrl), 409)
    await undo.click()
    await page.getByText('Webhook turned on').waitFor()
    await expectSoon(() => send(web.demo.webhookUrl), 200)
    await expectSoon(() => active.getAttribute('aria-checked'), 'true')
  })

  test('saves the settings, and shows how much of the limit is used and by whom', async () => {
    const page = await openWebhook()
    const rate = page.getByRole('spinbutton', { name: 'Alerts per minute' })
    const save = page.getByRole('button', { name: 'Save Settings' })
    await expectSoon(() => save.isDisabled(), true)
    await rate.fill('')
    await expectSoon(() => rate.inputValue(), '')
    await rate.fill('30')
    await rate.press('ArrowUp')
    await page.getByText('Unsaved changes.').waitFor()
    await page.getByRole('switch', { name: 'Only TradingView' }).click()
    await save.click()
    await page.getByText('Settings saved').waitFor()
    await page.reload()
    await expectSoon(() => rate.inputValue(), '35')
    await expectSoon(async () => (await send(web.demo.webhookUrl)) === 200, false)
    await page.getByRole('switch', { name: 'Only TradingView' }).click()
    await save.click()
    await page.getByText('Settings saved').waitFor()
    await expectSoon(() => send(web.demo.webhookUrl), 200)
    await page.getByText(/^[1-9]\d* of 35 used in the last minute$/).waitFor()
    await page.getByText('From the Terminal, counted apart: 0 of 60').waitFor()
    await region(page, 'Last senders').getByText('127.0.0.1').waitFor()
  })

  test('has messages of each bot that can be copied and tried', async () => {
    const page = await openWebhook()
    const name = 'Enter with stop-loss and take-profit'
    await page.getByRole('button', { name: `Copy: ${name}` }).click()
    await page.getByText('Copied to clipboard').waitFor()
    const message = await copied(page)
    expect(message).toMatch(/^MyBot\(BTCUSDT\) \{\n {2}market\(buy, 10%b\)\n/)
    await page.getByRole('button', { name: `Try in Terminal: ${name}` }).click()
    await page.waitForURL('/terminal')
    await page.locator('.cm-content, textarea', { hasText: 'stopOrTakeProfit' }).first().waitFor()
  })

  test('builds a message that runs', async () => {
    const page = await openWebhook()
    const builder = region(page, 'Build a message')
    await builder.getByLabel('Symbol', { exact: true }).fill('nonsense(')
    await builder.getByText('Write it like BTCUSDT or BTCUSDT.P').waitFor()
    await builder.getByLabel('Symbol', { exact: true }).fill('ethusdt')
    await builder.getByLabel('Size').fill('1')
    await builder.getByText('Sell', { exact: true }).click()
    await builder.getByRole('button', { name: 'Copy: Message' }).click()
    await page.getByText('Copied to clipboard').waitFor()
    const message = await copied(page)
    expect(message).toContain('MyBot(ETHUSDT) {\n  market(sell, 1%b)\n')
    expect(await send(web.demo.webhookUrl, message)).toBe(200)
    await builder.getByLabel('Use the chart symbol').click()
    await builder.getByText('As JSON').click()
    await builder.getByText('{"message":"MyBot({{ticker}}) {').waitFor()
  })

  test('beside the specification: has a message that follows the strategy of a chart, and says where it goes', async () => {
    const page = await openWebhook()
    const builder = region(page, 'Build a message')
    await builder.getByText('Strategy alert', { exact: true }).click()
    await builder.getByText('of 1 contract on BTCUSDT the bot holds 1 BTC').waitFor()
    await builder.getByRole('region', { name: 'In TradingView' }).getByText('turn on Webhook URL').waitFor()
    await builder.getByText('Orders', { exact: true }).click()
    await builder.getByRole('button', { name: 'Copy: Message' }).click()
    await page.getByText('Copied to clipboard').waitFor()
    const message = await copied(page)
    expect(message).toBe(
      'MyBot({{ticker}}) {\n  market({{strategy.order.action}}, {{strategy.order.contracts}})\n}',
    )
    // As TradingView fills it in.
    const alert = message
      .replace('{{ticker}}', 'BTCUSDT.P')
      .replace('{{strategy.order.action}}', 'buy')
      .replace('{{strategy.order.contracts}}', '0.01')
    expect(await send(web.demo.webhookUrl, alert)).toBe(200)
    await builder.getByRole('button', { name: 'Try in Terminal: Message' }).click()
    await page.waitForURL('/terminal')
    await page.locator('.cm-content', { hasText: 'market(buy, 0.01)' }).waitFor()
  })

  test('refuses in the builder a message that it cannot take, and leaves it unchanged', async () => {
    const page = await openWebhook()
    const builder = page.getByRole('region', { name: 'Build a message' })
    await builder.getByLabel('Leverage').fill('500')
    await builder.getByRole('alert').getByText('at most 200').waitFor()
    await builder.getByText('Correct the marked fields to get the message.').waitFor()
    expect(await builder.getByLabel('Leverage').inputValue()).toBe('500')
    await builder.getByLabel('Leverage').fill('20')
    await builder.getByLabel('Size').fill('abc')
    await builder.getByRole('alert').getByText('A number above zero').waitFor()
    await builder.getByLabel('Size').fill('15')
    await builder.locator('.message-text', { hasText: 'exchangeSettings(20)' }).waitFor()
    await builder.locator('.message-text', { hasText: 'market(buy, 15%b)' }).waitFor()
  })

  test('replaces the address once the consequence is typed', async () => {
    const page = await openWebhook()
    await page.getByRole('button', { name: 'Regenerate token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The current URL stops working immediately.').waitFor()
    await dialog.getByText('127.0.0.1').waitFor()
    const go = dialog.getByRole('button', { name: 'Regenerate' })
    await expectSoon(() => go.isDisabled(), true)
    await dialog.getByLabel('Type regenerate to continue').fill('regenerate')
    await go.click()
    await expectNotice(
      page,
      'Token regenerated',
      'New webhook URL generated. Update your TradingView alerts!',
    )
    const newUrl = (await dialog.locator('code').textContent()) ?? ''
    expect(newUrl).toMatch(/\/webhook\/[\w-]{20,}$/)
    await expectSoon(() => send(web.demo.webhookUrl), 404)
    await expectSoon(() => send(newUrl), 200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await everythingOn(page)).includes(newUrl)).toBe(false)
  })
})

describe('2, 4, 5 and 8, notification settings (/notifications)', () => {
  test('takes a bot, shows its token never again, and sends a test', async () => {
    const page = await open('/notifications')
    await page.getByText('Telegram notifications not configured').waitFor()
    const enable = page.getByRole('switch', { name: 'Enable notifications' })
    await expectSoon(() => enable.isDisabled(), true)
    await page.getByLabel('Chat ID').fill('12ab')
    await page.getByRole('alert').getByText('A chat id is a number').waitFor()
    await expectSoon(() => page.getByRole('button', { name: 'Save Settings' }).isDisabled(), true)
    await page.getByLabel('Chat ID').fill('')
    await page.getByText('Needs a bot token and a chat id').waitFor()
    await expectSoon(() => page.getByRole('button', { name: 'Send Test Message' }).count(), 0)
    await page.getByLabel('Bot Token').fill(botToken)
    await page.getByText('Needs a chat id').waitFor()
    await page.getByLabel('Chat ID').fill('4712')
    await enable.click()
    await page.getByRole('button', { name: 'Save Settings' }).click()
    await page.getByText('Notification settings updated successfully').waitFor()
    await page.getByText('Telegram notifications enabled').waitFor()
    expect(await page.getByLabel('Bot Token').inputValue()).toMatch(/^•+$/)
    expect((await everythingOn(page)).includes(botToken)).toBe(false)
    await page.getByRole('button', { name: 'Send Test Message' }).click()
    await page.getByText('Test failed').first().waitFor()
    // Once as a notice, which goes away, and once where the status stands.
    await page.locator('main').getByText('does not know this chat id').waitFor()
    await expectSoon(() => page.locator('main').getByText('does not know this chat id').count(), 1)
    await page.getByLabel('Chat ID').fill('4711')
    await page.getByText('Save the changes first').waitFor()
    await page.getByRole('button', { name: 'Save Settings' }).click()
    await page.getByRole('button', { name: 'Send Test Message', disabled: false }).click()
    await expectNotice(page, 'Test message sent', 'Check your Telegram for the test notification')
    expect(stand.messages.map(({ chatId }) => chatId)).toContain('4711')
    await page.context().setOffline(true)
    // Notices may lie above what a pointer would press.
    await page.getByRole('button', { name: 'Send Test Message' }).press('Enter')
    await expectNotice(page, 'Test failed', 'Failed to send test message')
    await page.getByLabel('Chat ID').fill('4713')
    await page.getByLabel('Chat ID').press('Enter')
    await expectNotice(page, 'Failed to save settings', 'Something went wrong')
    await expectSoon(() => page.getByLabel('Chat ID').inputValue(), '4713')
  })

  test('lists the notifications of each bot, and leads to where they are changed', async () => {
    const page = await open('/notifications')
    const row = page.getByRole('row', { name: /^MyBot/ })
    await row.getByRole('link').waitFor()
    await expectSoon(() => row.getByRole('cell').allTextContents(), ['✓ on', '✓ on', '– off', 'Edit'])
    await row.getByRole('link').click()
    await page.waitForURL(/\/api-keys/)
    await page.getByRole('dialog').getByLabel('Label').waitFor()
  })
})

describe('beside the specification: the profile', () => {
  test('lists sessions, ends the others, and changes the look', async () => {
    const page = await open('/profile')
    await region(page, 'Account').getByText(web.demo.email).waitFor()
    const sessions = region(page, 'Sessions')
    await sessions.getByText('This session').waitFor()
    const count = await sessions.getByRole('listitem').count()
    await sessions
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click()
    await page.getByText('Session ended').waitFor()
    await expectCount(page, count - 1)
    await sessions.getByRole('button', { name: 'Log out everywhere else' }).click()
    await page.getByText('All other sessions ended').waitFor()
    await expectCount(page, 1)
    await page.getByText('Light', { exact: true }).click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
    await page.getByRole('switch', { name: 'Color-blind palette' }).click()
    await expectSoon(() => page.locator('html').getAttribute('data-palette'), 'colour-blind')
  })

  async function expectCount(page: Page, count: number): Promise<void> {
    await page.locator(`.sessions:not(:has(> li:nth-child(${count + 1}))) > li:nth-child(${count})`).waitFor()
  }

  test('logs out everywhere when that is confirmed', async () => {
    const page = await open('/profile')
    await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click()
    await page.waitForURL('/login')
  })
})

test('8: every screen reports a failed load or save', async () => {
  const page = await openWebhook()
  await web.product.stopService('keys')
  await page.getByRole('switch', { name: 'Active' }).click()
  await page.getByText('Failed to save settings').first().waitFor()
  await page.getByRole('button', { name: 'Regenerate token' }).click()
  await page.getByLabel('Type regenerate to continue').fill('regenerate')
  await page.getByRole('button', { name: 'Regenerate', exact: true }).click()
  await page.getByText('Failed to regenerate token').first().waitFor()
  await page.goto('/webhook')
  await page.getByText('Failed to load webhook configuration').first().waitFor()
  await page.goto('/notifications')
  await page.getByText('Failed to load notification settings').first().waitFor()
  await web.product.restart('keys')
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await page.getByLabel('Bot Token').waitFor()
})

testComplaints(web)
