import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { patientCallerOf } from '@tripline/testkit/people/caller'
import { newPerson, type Person } from '@tripline/testkit/people/person'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser } from '../browser.ts'
import { type InBetween, startInBetween } from '../in-between.ts'
import { expectOutcome, expectSoon, testComplaints, webFixture } from '../web-fixture.ts'
import {
  enterSession,
  executeButton,
  expectNotice,
  logIn,
  register,
  stranger,
  verify,
} from '../web-person.ts'

const web = webFixture(() => ({ STREAMS_PER_USER: '1', RESULT_WAIT_MS: '0' }))
let person: Person

beforeAll(async () => {
  const call = patientCallerOf(web.product.urls.web)
  person = await newPerson(web.product.urls.web)
  const bot = { label: 'Bot', exchange: 'paper', market_type: 'futures' }
  await call('POST /api/keys', { token: person.tokens.access_token, body: bot })
})

let opened: Page[] = []
afterEach(async () => {
  // An account may listen to one stream at a time here.
  for (const page of opened.splice(0)) await page.context().close()
})

async function openAt(path: string): Promise<Page> {
  const page = await web.browser.open()
  opened.push(page)
  await page.goto(path)
  return page
}

async function openLoggedIn(path: string): Promise<Page> {
  const page = await web.browser.open()
  opened.push(page)
  await enterSession(page, person.tokens)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('8, streams: a product in which nothing happened yet asks its visitor to wait for events', async () => {
  const page = await openAt('/')
  await page.getByText('Waiting for events...').waitFor()
})

const away = 'The service is not available, please try again'

describe('8: while the accounts are away', () => {
  beforeAll(async () => await web.product.stopService('auth'))
  afterAll(async () => await web.product.restart('auth'))

  test('a login and a registration show that they failed, and keep the typed text', async () => {
    const page = await openAt('/login')
    await logIn(page, person)
    await expectNotice(page, 'Login failed', away)
    const newcomer = stranger()
    await page.goto('/register')
    await register(page, newcomer)
    await expectNotice(page, 'Registration failed', away)
    await expectSoon(() => page.getByLabel('Email', { exact: true }).inputValue(), newcomer.email)
  })

  test('a session that cannot be checked when a page is opened ends, and the login says why', async () => {
    const page = await web.browser.open()
    opened.push(page)
    await enterSession(page, person.tokens)
    await page.goto('/profile')
    await expectNotice(page, 'You were logged out', away)
    await page.waitForURL('/login?redirect=%2Fprofile')
  })

  test('a link of a mail shows that it does not work now', async () => {
    const page = await openAt('/verify-email#token=x')
    await verify(page, 'any password')
    await page.getByText(away).waitFor()
    await page.goto('/reset-password#token=x')
    await resetPassword(page)
    await expectNotice(page, 'Reset failed', away)
  })
})

describe('8: while the keys are away', () => {
  let page: Page
  beforeAll(async () => {
    page = await openLoggedIn('/api-keys')
    await page.getByRole('button', { name: 'Edit Bot' }).waitFor()
    // It stays open for all of these.
    opened = []
    await web.product.stopService('keys')
  })
  afterAll(async () => {
    await page.context().close()
    await web.product.restart('keys')
  })

  test('a key is not added, and its form keeps the typed text', async () => {
    await page.getByRole('button', { name: 'Add API Key' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Label').fill('Another')
    await form.getByLabel('API key').fill('k'.repeat(18))
    await form.getByLabel('API secret').fill('s'.repeat(36))
    await form.getByRole('button', { name: 'Add API Key' }).click()
    await expectNotice(page, 'Failed to add API key', away)
    await expectSoon(() => form.getByLabel('Label').inputValue(), 'Another')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'hidden' })
  })

  test('a key is not changed, tested or deleted', async () => {
    await page.getByRole('button', { name: 'Edit Bot' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('switch', { name: 'Fill' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectNotice(page, 'Failed to update API key', away)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Test Bot' }).click()
    await expectNotice(page, 'Connection failed', away)
    await page.getByRole('button', { name: 'Delete Bot' }).click()
    // Nobody can know whether it was used.
    await dialog.getByLabel(/couldn't check whether .* Type its label to delete it:$/).fill('Bot')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectNotice(page, 'Failed to delete API key', away)
  })

  test('the terminal says so, calls no bot unknown, and shows why it does not send', async () => {
    await page.goto('/terminal')
    await page.locator('.terminal-fault', { hasText: 'Failed to load API keys' }).waitFor()
    await page.getByRole('button', { name: 'Load the webhook URL again' }).waitFor()
    await page.locator('.cm-content').waitFor()
    await execute(page, 'Bot(BTCUSDT) { balance }')
    await page.getByText('Webhook URL still loading').waitFor()
    await page.getByRole('region', { name: 'What it would do now' }).waitFor()
    await expectSoon(() => page.getByRole('list', { name: 'Problems of the message' }).count(), 0)
  })

  test('the list and the trading state say that they could not be loaded, and are there when they can', async () => {
    await page.goto('/executions')
    await page.getByText(`The bots to filter by could not be loaded: ${away}`).waitFor()
    await page.goto('/api-keys')
    await page.getByText('Failed to load API keys').first().waitFor()
    const unknown = page.getByRole('button', { name: 'Trading status unavailable. Retry' })
    await unknown.waitFor()
    await web.product.restart('keys')
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByRole('button', { name: 'Edit Bot' }).waitFor()
    await unknown.click()
    await page.getByRole('button', { name: 'Pause trading' }).waitFor()
  })
})

test('beside the specification: a trading state that was shown is said to be old while no newer one can be loaded', async () => {
  const page = await openLoggedIn('/api-keys')
  await page.getByRole('button', { name: 'Trading of Bot: Active', exact: true }).waitFor()
  await web.product.stopService('keys')
  // A person who comes back to the window sees the present state.
  await page.evaluate('window.dispatchEvent(new Event("focus"))')
  const banner = page.getByText('Trading status may be out of date.')
  await banner.waitFor()
  await page.getByRole('button', { name: 'Trading of Bot: Active, may be out of date' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText(`Settings may be out of date: ${away}`).waitFor()
  await web.product.restart('keys')
  await drawer.getByRole('button', { name: 'Try again' }).click()
  await drawer.getByText('may be old').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Trading of Bot: Active', exact: true }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await banner.waitFor({ state: 'hidden' })
})

test('8: while the history is away its screen says so, and shows it when it is back', async () => {
  await web.product.stopService('history')
  const page = await openLoggedIn('/executions?id=01ARZ3NDEKTSV4RRFFQ69G5FAV-0')
  await page.getByText(`Failed to load executions: ${away}`).waitFor()
  await page.goto('/executions')
  await expectNotice(page, 'Failed to load executions', away)
  await web.product.restart('history')
  await page.getByText('Failed to load executions').first().waitFor({ state: 'hidden' })
})

test('8: while the intake is away the terminal says that a message was not taken, and keeps it', async () => {
  const page = await openLoggedIn('/terminal')
  await page.locator('.cm-content').waitFor()
  await executeButton(page).waitFor()
  await execute(page, '')
  await expectNotice(page, 'Empty message', 'Please enter a webhook message')
  await execute(page, 'Bot(BTCUSDT) { balance }')
  await expectNotice(page, 'Webhook executed successfully', '1/1 command(s) completed')
  await web.product.stopService('intake')
  await execute(page, 'Bot(BTCUSDT) { balance }')
  await expectNotice(page, 'Request failed', 'The alert could not be taken, please send it again')
  await web.product.restart('intake')
  expect(await page.locator('.cm-content').textContent()).toBe('Bot(BTCUSDT) { balance }')
})

describe('8: while the connection is lost', () => {
  test('a login, a registration and a new password fail with the text of each', async () => {
    const page = await openAt('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().setOffline(true)
    await logIn(page, person)
    await expectNotice(page, 'Login failed', 'Invalid credentials')
    await page.getByText("Can't reach Tripline. Check your connection, then try again.").waitFor()
    await page.context().setOffline(false)
    await page.goto('/register')
    await page.getByRole('heading', { name: 'Create Account' }).waitFor()
    await page.context().setOffline(true)
    await register(page, stranger())
    await expectNotice(page, 'Registration failed', 'Something went wrong')
    await page.context().setOffline(false)
    await page.goto('/reset-password#token=x')
    await page.getByLabel('New password').waitFor()
    await page.context().setOffline(true)
    await resetPassword(page)
    await expectNotice(page, 'Reset failed', 'Failed to reset password')
  })

  test('an address is not verified, and the link may be the reason', async () => {
    const page = await openAt('/verify-email#token=x')
    await page.getByRole('button', { name: 'Verify Email' }).waitFor()
    await page.context().setOffline(true)
    await verify(page, 'any password')
    await expectOutcome(page, 'Failed to verify email. The link may have expired.')
  })

  test('a key is not tested and a message is not sent, and each says so', async () => {
    const page = await openLoggedIn('/api-keys')
    await page.getByRole('button', { name: 'Test Bot' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Test Bot' }).click()
    await expectNotice(page, 'Connection failed', 'Failed to connect to exchange')
    await page.context().setOffline(false)
    await page.goto('/terminal')
    await page.locator('.cm-content').waitFor()
    await executeButton(page).waitFor()
    await page.context().setOffline(true)
    await execute(page, 'Bot(BTCUSDT) { balance }')
    await expectNotice(page, 'Request failed', 'Failed to fetch')
  })
})

describe('8: behind something that stands in between', () => {
  let between: InBetween
  let browser: TestBrowser
  beforeAll(async () => {
    between = await startInBetween(web.product.urls.web)
    browser = await startBrowser(between.url)
  })
  afterAll(async () => {
    await browser.stop()
    await between.stop()
  })

  /** The terminal behind it; the account may listen to one stream at a time here. */
  async function openTerminal(): Promise<Page> {
    const page = await browser.open()
    opened.push(page)
    await enterSession(page, person.tokens)
    await page.goto('/terminal')
    await page.locator('.cm-content').waitFor()
    await executeButton(page).waitFor()
    return page
  }

  test('a foreign answer is shown as far as it says anything, and a stream that hangs as connecting', async () => {
    between.answerItself('/api/events/stream', () => undefined)
    const page = await openTerminal()
    await page.getByText('○ Connecting...').waitFor()
    await page.getByRole('log').getByText('Waiting for events...').waitFor()
    between.answerItself('/webhook/', (response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
    await execute(page, 'Bot(BTCUSDT) { balance }')
    await expectNotice(page, 'Request failed', 'Network or server error')
    between.answerItself('/webhook/', (response) => response.end('<h1>Please pay for this network</h1>'))
    await execute(page, 'Bot(BTCUSDT) { balance }')
    await expectNotice(page, 'Webhook execution failed', 'Check response for details')
    between.answerItself('/webhook/', (response) => response.end('{"status":"success"}'))
    await execute(page, 'Bot(BTCUSDT) { balance }')
    await expectNotice(page, 'Webhook executed successfully', 'Executed successfully')
  })

  test('a message that is not waited for is shown as accepted, and its result once that is known', async () => {
    for (const path of ['/api/events/stream', '/webhook/']) between.handOnBare(path)
    const page = await openTerminal()
    await page.getByText('● Live Stream').waitFor()
    await web.product.stopService('executor')
    await execute(page, 'Bot(BTCUSDT) { balance }')
    await expectNotice(page, 'Webhook accepted', 'Still running. This card updates when it finishes.')
    await web.product.restart('executor')
    await page.locator('.response-card.status-success').waitFor()
  })
})

test('8, streams: a refused one is logged to the console, and tried again', async () => {
  const first = await openLoggedIn('/terminal')
  await first.getByText('● Live Stream').waitFor()
  const second = await openAt('/terms')
  const said: string[] = []
  second.on('console', (line) => said.push(line.text()))
  await enterSession(second, person.tokens)
  await second.goto('/terminal')
  await expectSoon(async () => said.some((line) => line.includes('Failed to connect to event stream')), true)
  await first.context().close()
  await second.getByText('● Live Stream').waitFor()
})

async function resetPassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill('Another secret 2')
  await page.getByLabel('Confirm password').fill('Another secret 2')
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

async function execute(page: Page, message: string): Promise<void> {
  await page.getByLabel('Webhook message').fill(message)
  await page.keyboard.press('Control+Enter')
}

testComplaints(web)
