import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { ExecutionSummary } from '@tripline/proto/http/execution'
import { KeyView, WebhookConfigView } from '@tripline/proto/http/key'
import { SealedCredentials } from '@tripline/proto/user-config'
import { paperControl } from '@tripline/testkit/paper-control'
import { type Call, patientCallerOf } from '@tripline/testkit/people/caller'
import { operatorBus } from '@tripline/testkit/people/crowd'
import { newPerson, type Person } from '@tripline/testkit/people/person'
import { waitFor } from '@tripline/testkit/wait-for'
import type { Page } from 'playwright-core'
import { expectSoon, testComplaints, webFixture } from '../web-fixture.ts'
import { enterSession, everythingOn, expectNotice } from '../web-person.ts'

let call: Call
let person: Person

const egressAddress = '203.0.113.7'
const web = webFixture(() => ({ ACCESS_TOKEN_MINUTES: '60', EGRESS_ADDRESSES: egressAddress }))

beforeAll(async () => {
  call = patientCallerOf(web.product.urls.web)
})

beforeEach(async () => {
  person = await newPerson(web.product.urls.web)
})

const token = () => person.tokens.access_token
const listKeys = async () => KeyView.array().parse((await call('GET /api/keys', { token: token() })).body)

/** Returns the number of the first key's alerts of the last day that the history knows. */
async function alertsToday(): Promise<number | undefined> {
  const { body } = await call('GET /api/webhook-executions/summary', { token: token() })
  return ExecutionSummary.parse(body).keys[0]?.executions_24h
}

async function linkPaperBot(label: string): Promise<KeyView> {
  const body = { label, exchange: 'paper', market_type: 'futures' }
  return KeyView.parse((await call('POST /api/keys', { token: token(), body })).body)
}

async function send(message: string) {
  const config = WebhookConfigView.parse((await call('GET /api/webhook-config', { token: token() })).body)
  return (await call(`POST ${new URL(config.webhook_url).pathname}?wait=20000`, { raw: message })).body
}

async function open(path: string, width?: number): Promise<Page> {
  const page = await web.browser.open(width)
  await enterSession(page, person.tokens)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const drawer = (page: Page) => page.getByRole('dialog')

describe('2, 4 and 5, API keys (/api-keys): a new key', () => {
  test('is checked while it is typed, and linked with the credentials of the exchange', async () => {
    await linkPaperBot('Taken')
    const { apiKey, secret } = await paperControl(web.product.urls.paper).openAccount()
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Add API Key' }).click()
    const form = drawer(page)
    await expectSoon(() => form.getByRole('radio', { name: 'ByBit' }).isChecked(), true)
    await expectSoon(() => form.getByRole('radio', { name: 'OKX Coming soon' }).isDisabled(), true)
    await form.getByRole('button', { name: 'Add API Key' }).click()
    await form.getByText('Label is required').waitFor()
    await expectSoon(() => form.getByText('API credentials are required').count(), 2)
    await form.getByLabel('Label').fill('Bot!')
    await form
      .getByText(
        'Invalid label: Label can only contain letters, numbers, hyphens, underscores, and spaces (max 50 characters)',
      )
      .waitFor()
    await form.getByLabel('Label').fill('taken')
    await form.getByText('You already have a bot with this label').waitFor()
    await form.getByLabel('Label').fill(' By 1 ')

    await form.getByLabel('API key').fill('s'.repeat(36))
    await form.getByLabel('API secret').fill('k'.repeat(18))
    await form.getByRole('button', { name: 'Swap them' }).click()
    await expectSoon(() => form.getByLabel('API key').inputValue(), 'k'.repeat(18))
    await form.getByLabel('API key').fill(` ${apiKey}`)
    await form.getByLabel('API secret').fill(secret)
    await form.getByRole('button', { name: 'Add API Key' }).click()
    await page.getByText('API key added successfully').waitFor()
    const [, added] = await listKeys()
    expect(added).toMatchObject({
      label: 'By 1',
      exchange: 'bybit',
      market_type: 'futures',
      is_testnet: false,
      notify_on_trade: true,
      notify_on_error: true,
      notify_on_fill: false,
    })
    // Besides the specification: what the exchange says of it is there at once.
    await form.getByText('The key works.').waitFor()
    await form.getByText('Trading allowed').waitFor()
    expect(await everythingOn(page)).not.toContain(secret)
    await form.getByRole('button', { name: 'Done' }).click()
    await form.waitFor({ state: 'hidden' })
  })

  test('says before it is linked where it is made, and after it what the exchange says against it', async () => {
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Add API Key' }).click()
    const form = drawer(page)
    const guide = form.getByRole('region', { name: 'How to make the key' })
    const madeAt = async (): Promise<string | null> => await guide.getByRole('link').getAttribute('href')
    expect(await madeAt()).toBe('https://www.bybit.com/app/user/api-management')
    await guide
      .getByText('Allow Read-Write, Contract: Orders and Positions. Never allow withdrawals.')
      .waitFor()
    await guide.getByText(`Restrict the key to our addresses: ${egressAddress}`).waitFor()
    await form.getByRole('switch', { name: 'Testnet' }).click()
    await expectSoon(madeAt, 'https://testnet.bybit.com/app/user/api-management')
    await form.getByText('Paper', { exact: true }).click()
    await guide.waitFor({ state: 'detached' })
    await form.getByText('ByBit', { exact: true }).click()
    await form.getByLabel('Label').fill('Refused')
    await form.getByLabel('API key').fill('k'.repeat(18))
    await form.getByLabel('API secret').fill('s'.repeat(36))
    await form.getByRole('button', { name: 'Add API Key' }).click()
    await form.getByText('The key does not work yet.').waitFor()
    await form.getByText('What to do:').waitFor()
    // One message, of what is the matter: that it was added alone would be no success.
    const [created] = await listKeys()
    await expectNotice(page, 'API key saved, but it does not work yet', created?.last_test?.error ?? 'none')
    expect(await page.getByText('API key added successfully').count()).toBe(0)
    await form.getByRole('button', { name: 'Test again' }).click()
    await form.getByText('The key does not work yet.').waitFor()
    await form.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Refused').first().waitFor()
  })

  test('begins on the first market of its exchange, on the network that this market has', async () => {
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Add API Key' }).click()
    const form = drawer(page)
    await form.getByText('Binance', { exact: true }).click()
    await expectSoon(() => form.getByRole('radio', { name: /USDⓈ-M/ }).isChecked(), true)
    await expectSoon(() => form.getByRole('radio', { name: /COIN-M/ }).isDisabled(), true)
    await expectSoon(() => form.getByRole('switch', { name: 'Testnet' }).isChecked(), true)
    await expectSoon(() => form.getByRole('switch', { name: 'Testnet' }).isDisabled(), true)
    await form.getByText('Spot', { exact: true }).click()
    await expectSoon(() => form.getByRole('switch', { name: 'Testnet' }).isChecked(), false)
  })

  test('is tested point by point, and each failed one says what to do', async () => {
    const body = {
      label: 'Wrong',
      exchange: 'bybit',
      market_type: 'spot',
      api_key: 'k'.repeat(18),
      api_secret: 's',
    }
    await call('POST /api/keys', { token: token(), body })
    await linkPaperBot('Right')
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Test Wrong' }).click()
    await page.getByText('Connection failed').waitFor()
    await page.getByText('Key accepted').waitFor()
    await page.getByText('What to do:').waitFor()
    await page.getByRole('button', { name: 'Test Right' }).click()
    await expectNotice(page, 'Connection successful', 'API key is valid and working')
    await page.getByText('Not applicable without real money').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'failed' }).click()
    await page.getByText('What to do:').waitFor()
  })
})

describe('2, terminal (/terminal): a bot that cannot trade', () => {
  const chip = (page: Page, name: string | RegExp) => page.getByRole('radio', { name })

  test('says so at the selector, with the way to mend it, and gives way to one that can', async () => {
    const credentials = { api_key: 'k'.repeat(18), api_secret: 's'.repeat(36) }
    const broken = { label: 'Broken', exchange: 'bybit', market_type: 'futures', ...credentials }
    const { body } = await call('POST /api/keys', { token: token(), body: broken })
    await call(`POST /api/keys/${KeyView.parse(body).id}/test`, { token: token() })
    const page = await open('/terminal')
    await expectSoon(() => chip(page, 'Broken cannot trade').isChecked(), true)
    const fault = page.locator('.terminal-fault', { hasText: 'Broken cannot trade.' })
    await fault.getByRole('link', { name: 'Mend it under API Keys' }).waitFor()

    // Added elsewhere meanwhile, which the next look at the keys finds.
    await linkPaperBot('Works')
    await fault.getByRole('link').click()
    await page.getByRole('heading', { name: 'API Keys' }).waitFor()
    await page.reload()
    await page.getByText('Works').first().waitFor()
    await page.getByRole('link', { name: 'Terminal' }).first().click()
    await expectSoon(() => chip(page, 'Works').isChecked(), true)
    expect(await fault.count()).toBe(0)
    await chip(page, /^Broken/).click({ force: true })
    await fault.waitFor()
  })
})

describe('2, API keys: a key', () => {
  test('changes its label and its notifications, and nothing else', async () => {
    await linkPaperBot('Old')
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Edit Old' }).click()
    const form = drawer(page)
    await form.getByRole('region', { name: 'Notification Preferences' }).waitFor()
    await expectSoon(() => form.getByLabel('API secret').count(), 0)
    await form.getByLabel('Label').fill('New')
    await form.getByText('Alerts that still use Old will be refused').waitFor()
    await form.getByRole('switch', { name: 'Fill' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('API key updated successfully').waitFor()
    await page.getByRole('link', { name: 'New' }).waitFor()
    expect(await listKeys()).toMatchObject([{ label: 'New', notify_on_fill: true, exchange: 'paper' }])
  })

  test('is halted after a confirmation, and its limits apply', async () => {
    await linkPaperBot('Bot')
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Trading of Bot: Active' }).click()
    const form = drawer(page)
    await form.getByText('Halted', { exact: true }).click()
    await form.getByText(/^Halt Bot\?/).waitFor()
    await form.getByRole('button', { name: 'Halt', exact: true }).click()
    await page.getByText('Trading settings saved').waitFor()
    await expectSoon(async () => (await send('Bot(BTCUSDT) { market(buy, 0.01) }')).status, 'failed')
    // The labels name the unit; nothing in the fields names it again.
    expect(await form.getByText('s', { exact: true }).count()).toBe(0)

    await form.getByLabel('Reject entries older than (seconds)').fill('0')
    await form.getByRole('button', { name: 'Save limits' }).click()
    await form.getByText('A whole number from 1 to 86,400').waitFor()
    await form.getByLabel('Reject entries older than (seconds)').fill('30')
    await form.getByLabel('Retry exits and cancels for (seconds)').fill('3601')
    await form.getByText('A whole number from 0 to 3600').waitFor()
    await form.getByLabel('Retry exits and cancels for (seconds)').fill('0')
    await form.getByLabel('Maximum order value (quote currency)').fill('500')
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
    await form.getByRole('button', { name: 'Save limits' }).click()
    await form.getByText('A whole number from 1 to 86,400').waitFor({ state: 'hidden' })
    await saved
    await page.reload()
    await page.getByRole('button', { name: 'Trading of Bot: Halted' }).click()
    await expectSoon(() => form.getByLabel('Maximum order value (quote currency)').inputValue(), '500')
    expect(await form.getByLabel('Retry exits and cancels for (seconds)').inputValue()).toBe('0')
  })

  test('shows how it trades while all bots are paused, beside its own state', async () => {
    await linkPaperBot('Bot')
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Trading of Bot: Active' }).waitFor()
    await call('PUT /api/trading-state', { token: token(), body: { state: 'reducing' } })
    await page.reload()
    await page.getByRole('button', { name: 'Trading of Bot: Reducing (all bots)' }).click()
    await expectSoon(() => drawer(page).getByRole('radio', { name: 'Active' }).isChecked(), true)
  })

  test('is marked with the reason while its credentials cannot be opened, in table and card', async () => {
    await linkPaperBot('Sound')
    const { id } = await linkPaperBot('Torn')
    const bus = await operatorBus(web.product)
    const credentials = await openBucket(bus, 'credentials')
    const sound = await waitFor(async () => await credentials.get(id))
    const ids = SealedCredentials.parse(JSON.parse(sound.text))
    await credentials.put(id, JSON.stringify({ ...ids, sealed: 'torn' }))
    const problems = async () => (await listKeys()).map(({ problem }) => problem)
    const problem = 'Its credentials cannot be opened any more: link the key again'
    await expectSoon(problems, [null, problem])
    for (const [width, row] of [
      [1440, 'row'],
      [390, 'article'],
    ] as const) {
      const page = await open('/api-keys', width)
      await page.getByRole(row).filter({ hasText: problem }).getByText('Cannot trade').waitFor()
      await expectSoon(() => page.getByText('Cannot trade').count(), 1)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    await credentials.put(id, sound.text)
    await bus.close()
    await expectSoon(problems, [null, null])
    const page = await open('/api-keys')
    await page.getByRole('link', { name: 'Torn' }).waitFor()
    expect(await page.getByText('Cannot trade').count()).toBe(0)
  })

  test('gets a close-only address, whose alerts close and show where they came, and loses it', async () => {
    await linkPaperBot('Bot')
    await send('Bot(BTCUSDT) { market(buy, 0.01) }')
    const page = await open('/api-keys')
    const opener = page.getByRole('button', { name: 'Close-only address of Bot' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const form = drawer(page)
    await form.getByText('Bot has no close-only address.').waitFor()
    await form.getByRole('button', { name: 'Create address' }).click()
    await page.getByText('Close-only address created').waitFor()
    await form.getByRole('button', { name: 'Copy close-only URL' }).click()
    const copied = async () => `${await page.evaluate('navigator.clipboard.readText()')}`
    await expectSoon(async () => (await copied()).includes('/webhook/'), true)
    const first = await copied()
    await form.getByRole('button', { name: 'Copy message' }).click()
    await expectSoon(copied, 'Bot(BTCUSDT) { cancel; market(position=0) }')
    const postTo = async (url: string, message: string) =>
      await call(`POST ${new URL(url).pathname}?wait=20000`, { raw: message })
    const openingRefused = async () => {
      const { body } = await postTo(first, 'Bot(BTCUSDT) { market(buy, 0.01) }')
      return body.results?.[0]?.results[0]?.error_code
    }
    await expectSoon(openingRefused, 'E510')
    const closed = await postTo(first, await copied())
    expect(closed).toMatchObject({ status: 200, body: { status: 'success' } })

    await form.getByRole('button', { name: 'New address' }).click()
    await form.getByText('The old one stops working at once').waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    expect((await postTo(first, 'Bot(BTCUSDT) { cancel }')).status).toBe(200)
    await form.getByRole('button', { name: 'New address' }).click()
    await form.getByRole('button', { name: 'Replace it' }).click()
    await page.getByText('New close-only address generated').waitFor()
    await expectSoon(async () => (await postTo(first, 'Bot(BTCUSDT) { cancel }')).status, 404)
    await form.getByRole('button', { name: 'Show the whole URL' }).click()
    const second = await form.getByText(/webhook\/[\w-]{43}$/).textContent()
    expect(second).not.toBe(first)
    await form.getByRole('button', { name: 'Remove address' }).click()
    await form.getByRole('button', { name: 'Remove it' }).click()
    await form.getByText('Bot has no close-only address.').waitFor()
    await expectSoon(async () => (await postTo(second ?? '', 'Bot(BTCUSDT) { cancel }')).status, 404)
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    await opener.and(page.locator(':focus')).waitFor()
    const row = `GET /api/webhook-executions/${closed.body.execution_id}`
    await expectSoon(async () => (await call(row, { token: token() })).status, 200)
    await page.goto(`/executions?id=${closed.body.execution_id}`)
    await page.getByText("Received at the bot's close-only address.").waitFor()
  })

  test('that traded today is deleted only once its label is typed', async () => {
    await linkPaperBot('Bot')
    await send('Bot(BTCUSDT) { market(buy, 0.01) }')
    await expectSoon(alertsToday, 1)
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Delete Bot' }).click()
    const dialog = drawer(page)
    await dialog
      .getByText(
        'Are you sure? This action cannot be undone. All associated trade logs will remain but this bot will no longer be able to execute trades.',
      )
      .waitFor()
    const field = dialog.getByLabel('Bot was used in the last 24 hours. Type its label to delete it:')
    await expectSoon(() => dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled(), true)
    await field.fill('Bot')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('API key deleted successfully').waitFor()
    await page.getByText('No API keys configured').waitFor()
    await page.goto('/webhook')
    await page.getByText('These messages name MyBot as a sample').waitFor()
    await page.getByRole('button', { name: 'Copy: Close the position' }).waitFor()
  })

  test('is asked about by a dialog that stands at once where it stays, under no second click', async () => {
    await linkPaperBot('Bot')
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Delete Bot' }).waitFor()
    const widths = page.evaluate(widthsWhileItOpens)
    await page.getByRole('button', { name: 'Delete Bot' }).click()
    expect(await widths).toEqual([460])
  })
})

/** Runs in the page: how wide the next dialog is, frame by frame, until it has appeared. */
const widthsWhileItOpens = `new Promise((appeared) => {
  const seen = new Set()
  const look = () => {
    const dialog = document.querySelector('[role=dialog]')
    if (dialog !== null) seen.add(dialog.getBoundingClientRect().width)
    if (dialog === null || dialog.className.includes('appear')) requestAnimationFrame(look)
    else appeared([...seen])
  }
  look()
})`

test('beside the specification: a newcomer on a phone gets a Paper bot by keyboard alone, and resets its account', async () => {
  const page = await open('/api-keys', 360)
  await page.getByText('No API keys configured').waitFor()
  await page.getByRole('button', { name: 'Add a Paper bot' }).focus()
  await page.keyboard.press('Enter')
  await drawer(page).getByLabel('Label').waitFor()
  await page.waitForFunction('document.activeElement?.id === "label"')
  await page.keyboard.type('First')
  await page.keyboard.press('Enter')
  await page.getByText('API key added successfully').waitFor()
  const card = page.getByRole('article')
  await card.getByText('Paper Futures').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  const edit = page.getByRole('button', { name: 'Edit First' })
  await edit.focus()
  await page.keyboard.press('Enter')
  await drawer(page).getByLabel('Label').waitFor()
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'hidden' })
  await edit.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Reset account' }).click()
  await page.getByRole('button', { name: 'Reset account' }).last().click()
  await page.getByText('Paper account reset').waitFor()
  await page.goto('/terminal')
  await page.locator('.cm-placeholder', { hasText: 'First(BTCUSDT) { market(buy, 0.01) }' }).waitFor()
  // There is room for what acts on the message; the manual is in the navigation.
  await page.getByRole('button', { name: 'Format' }).waitFor()
  expect(await page.locator('.compose-manual').isVisible()).toBe(false)
})

test('beside the specification: a phone shows the chip of a new bot whole, and the head of its preview on one line', async () => {
  for (const label of ['First', 'Scalper', 'Hedger']) await linkPaperBot(label)
  const page = await open('/terminal', 390)
  await page.getByRole('button', { name: 'Add a Paper bot' }).click()
  await drawer(page).getByLabel('Label').fill('Newcomer')
  await drawer(page).getByRole('button', { name: 'Add bot' }).click()
  const chip = page.locator('.bot-chip', { hasText: 'Newcomer' })
  const isWhole = () =>
    chip.evaluate((shown) => {
      const [own, row] = [shown.getBoundingClientRect(), shown.parentElement?.getBoundingClientRect()]
      return row !== undefined && own.left >= row.left && own.right <= row.right
    })
  await expectSoon(isWhole, true)
  await page.getByLabel('Webhook message').fill('Newcomer(BTCUSDT) { market(buy, 0.01) }')
  const head = page.locator('.preview-head', { hasText: 'Paper Futures' })
  await expectSoon(() => head.evaluate(({ clientHeight }) => clientHeight < 30), true)
})

describe('1 and 2, dashboard (/dashboard)', () => {
  test('greets, shows the first steps with those that are done, and the way on', async () => {
    const page = await open('/dashboard')
    const { username } = (await call('GET /api/users/me', { token: token() })).body
    await page.getByRole('heading', { level: 1, name: `Welcome back, ${username}` }).waitFor()
    await page.getByText('0 of 5 done').waitFor()
    await page.getByText('Your trading automation platform is ready').waitFor()
    const ways = page.getByRole('navigation', { name: 'Go to' }).getByRole('link')
    await expectSoon(
      () => ways.evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      ['/terminal', '/executions', '/api-keys'],
    )
    await ways.filter({ hasText: 'Test webhooks and monitor live execution' }).click()
    await page.waitForURL('/terminal')
    await page.getByText('No API keys configured').waitFor()
    await page.getByText('Select an API key above to use Quick Actions').waitFor()
    await page.goBack()
    const bot = await linkPaperBot('Bot')
    await call(`POST /api/keys/${bot.id}/test`, { token: token() })
    await page.reload()
    await page.getByText('2 of 5 done').waitFor()
    await page.getByRole('button', { name: 'Copy webhook URL' }).click()
    await page.getByText('3 of 5 done').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/webhook/')
    await send('Bot(BTCUSDT) { market(buy, 0.01) }')
    await page.getByText('4 of 5 done').waitFor()

    const tile = page.getByRole('link', { name: /^Bot Last alert .* success/ })
    await tile.getByText('100%').waitFor()
    await expectSoon(
      () => page.getByRole('region', { name: 'Coming Soon' }).getByRole('listitem').allTextContents(),
      [
        'Trading analytics and statistics',
        'Real-time P&L tracking',
        'Performance charts',
        'Win rate and risk metrics',
      ],
    )
    await tile.click()
    await page.waitForURL('/executions?api_key_label=Bot')
  })
})

testComplaints(web)
