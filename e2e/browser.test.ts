import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type DemoAccount, openDemoAccount } from '@tripline/scripts/demo-account'
import { type Product, startProduct } from '@tripline/scripts/product'
import { verifyEmail } from '@tripline/scripts/verify-email'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser } from './browser.ts'

let product: Product
let demo: DemoAccount
let browser: TestBrowser

beforeAll(async () => {
  product = await startProduct({ ephemeral: true })
  demo = await openDemoAccount(product.urls.web, product.dataDir)
  browser = await startBrowser(product.urls.web)
}, 120_000)

afterAll(async () => {
  await browser?.stop()
  await product?.stop()
}, 60_000)

async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function openTerminal(width?: number): Promise<Page> {
  const page = await browser.open(width)
  await page.goto('/login')
  await logIn(page, demo)
  await page.getByText('● Live Stream').waitFor({ state: 'attached' })
  return page
}

async function execute(page: Page, message: string): Promise<void> {
  await page.getByLabel('Webhook message').fill(message)
  await page.keyboard.press('Control+Enter')
}

const monitor = (page: Page) => page.getByRole('region', { name: 'Response Monitor' })

describe('a session', () => {
  test('starts with the right password only', async () => {
    const page = await browser.open()
    await page.goto('/terminal')
    await page.waitForURL('/login')
    await logIn(page, { email: demo.email, password: 'not the password' })
    await page.getByText('Login failed').waitFor()
    await logIn(page, demo)
    await page.getByText('Login successful').waitFor()
    await page.waitForURL('/terminal')
    await page.getByRole('button', { name: demo.email }).waitFor()
  })

  test('is refreshed unseen when its access token runs out', async () => {
    const page = await openTerminal()
    await page.evaluate(() => localStorage.setItem('accessToken', 'run out'))
    await page.reload()
    await page.getByText('● Live Stream').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBe('run out')
  })

  test('that ended leads to the login and back to where the person was', async () => {
    const page = await openTerminal()
    await page.evaluate(() => {
      localStorage.setItem('accessToken', 'ended')
      localStorage.setItem('refreshToken', 'ended')
    })
    await page.goto('/terminal?from=here')
    await page.waitForURL('/login?session=expired&redirect=%2Fterminal%3Ffrom%3Dhere')
    await page.getByText('Please log in again to continue').waitFor()
    await logIn(page, demo)
    await page.waitForURL('/terminal?from=here')
  })

  test('ends with a logout, for its tokens too', async () => {
    const page = await openTerminal()
    const token = await page.evaluate(() => localStorage.getItem('accessToken'))
    await page.getByRole('button', { name: demo.email }).click()
    await page.getByText('Logout').click()
    await page.waitForURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${product.urls.web}/api/users/me`, { headers })
    expect(answer.status).toBe(401)
  })
})

test('a newcomer registers, logs in, links a Paper bot and trades', async () => {
  const page = await browser.open()
  const person = { email: `${randomUUID()}@example.org`, password: 'a long secret' }
  await page.goto('/register')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Byron')
  await page.getByLabel('Country').fill('ital')
  await page.keyboard.press('Enter')
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Confirm email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password').fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('Registration successful').waitFor()
  await page.waitForURL('/login')
  await verifyEmail(product.urls.web, person.email)
  await logIn(page, person)

  await page.getByText('No API keys configured').waitFor()
  await page.getByText('Select an API key above to use Quick Actions').waitFor()
  await page.getByRole('button', { name: 'Link a Paper bot' }).click()
  await page.getByRole('button', { name: 'Link bot' }).click()
  await page.getByText('Label is required').waitFor()
  await page.getByLabel('Label').fill('First Bot')
  await page.keyboard.press('Enter')
  await page.getByText('API key added successfully').waitFor()
  await page.getByText('Short (fast execution)').click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await monitor(page)
    .getByText(/^sell 0\.010/)
    .waitFor()
}, 60_000)

describe('every screen', () => {
  test.each([360, 1440])('fits a window of %d px in both themes', async (width) => {
    const page = await openTerminal(width)
    await execute(page, 'MyBot(BTCUSDT) { market(buy, 0.01); balance() }')
    await monitor(page).getByText('Request and response').click()
    for (const path of ['/terminal', '/login', '/register']) {
      if (path !== '/terminal') await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      for (const theme of ['light', 'dark']) {
        await page.getByRole('button', { name: `Switch to the ${theme} theme` }).click()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
    }
  })

  test('keeps the chosen theme from its first paint on', async () => {
    const page = await browser.open()
    await page.goto('/login')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('button', { name: 'Switch to the light theme' }).click()
    // Without the app's own scripts only what comes before the first paint can have set it.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
  })
})

test('no page ever broke or met its content security policy', () => {
  expect(browser.complaints).toEqual([])
})
