import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, jest, test } from '@jest/globals'
import { rootDir } from '@tripline/testkit/paths'
import { startSecondGateway } from '@tripline/testkit/second-gateway'
import type { Page } from 'playwright-core'
import { expectSoon, testComplaints, webFixture } from '../web-fixture.ts'
import { stored, stranger } from '../web-person.ts'

// Each test opens pages of its own, which a busy machine draws slowly.
jest.setTimeout(120_000)

const web = webFixture()

async function openLanding(width?: number): Promise<Page> {
  const page = await web.browser.open(width)
  await page.goto('/')
  return page
}

const activity = (page: Page) => page.getByRole('region', { name: 'Live Activity' })
const isLive = (page: Page) => activity(page).getByText('Live', { exact: true }).waitFor()
const waitlistEmail = (page: Page) => page.getByLabel('Email address')
const notifyMe = (page: Page) => page.getByRole('button', { name: 'Notify Me' })

async function sendAlert(): Promise<void> {
  const answer = await fetch(`${web.demo.webhookUrl}?wait=20000`, {
    method: 'POST',
    body: 'MyBot(BTCUSDT) { market(buy, 0.01) }',
  })
  expect(answer.status).toBe(200)
}

describe('2, landing page (/)', () => {
  test('is there before any script, at / and at /home', async () => {
    for (const pathname of ['/', '/home']) {
      const page = await (await fetch(`${web.product.urls.web}${pathname}`)).text()
      for (const words of ['Get Started', 'Login', 'Lightning Fast', 'Received', 'Join the waitlist']) {
        expect(page).toContain(words)
      }
      expect(page).toContain('href="mailto:contact@tripline.local"')
      expect(page).not.toMatch(/__[A-Z_]+__/)
    }
  })

  test('weighs little', async () => {
    const page = await web.browser.open()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await isLive(page)
    expect(asked.length).toBeLessThanOrEqual(8)
    const scripts = asked.filter((name) => name.endsWith('.js'))
    const sources = await Promise.all(scripts.map((name) => readFile(path.join(rootDir, 'web/dist', name))))
    const bytes = sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0)
    expect(bytes).toBeLessThanOrEqual(80_000)
    expect(sources.join('')).not.toContain('ant-btn')
    expect(asked.filter((name) => name.endsWith('.css'))).toEqual([])
    expect(gzipSync(await page.content()).length).toBeLessThanOrEqual(12_000)
  })

  test('"Only one is expanded at a time; clicking the expanded one collapses it", by keyboard too', async () => {
    const page = await openLanding()
    await isLive(page)
    const card = (name: string) => page.getByRole('button', { name })
    await card('Multi-Exchange').click()
    await page.getByText('ByBit futures and spot, Binance spot').waitFor()
    await card('Advanced Commands').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Market, limit and stop orders, stop-loss').waitFor()
    await expectSoon(() => page.getByRole('button', { expanded: true }).count(), 1)
    await page.keyboard.press('Enter')
    await expectSoon(() => page.getByRole('button', { expanded: true }).count(), 0)
  })

  test('leads into the app and back', async () => {
    const page = await openLanding()
    await page.getByRole('link', { name: 'Get Started' }).click()
    await page.getByRole('heading', { name: 'Create Account' }).waitFor()
    await page.getByRole('link', { name: 'Tripline' }).click()
    await page.getByRole('heading', { name: 'Your alerts become orders' }).waitFor()
    // Only the page's script says so: before it, nobody notices the pointer.
    await isLive(page)
    const login = page.getByRole('banner').getByRole('link', { name: 'Login' })
    await login.hover()
    await page.locator('link[rel=modulepreload][href*=index]').waitFor({ state: 'attached' })
    await login.click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/no/such/screen')
    await page.waitForURL(`${web.product.urls.web}/`)
  })

  test('leads a visitor with a session to the dashboard', async () => {
    const page = await openLanding()
    await page.getByRole('link', { name: 'Login' }).first().waitFor()
    const tokens = { accessToken: web.demo.accessToken, refreshToken: web.demo.accessToken }
    await page.evaluate((stored) => Object.assign(localStorage, stored), tokens)
    await page.goto('/no/such/screen')
    await page.getByRole('banner').getByRole('link', { name: 'Open dashboard' }).click()
    await page.waitForURL('**/dashboard')
  })

  test.each([
    ['Terms', 'Terms of Service', '4. Webhook address and API keys'],
    ['Privacy', 'Privacy Policy', '2. What we keep'],
  ])('opens %s in a tab of its own', async (link, heading, chapter) => {
    const page = await openLanding()
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: link }).click(),
    ])
    await opened.getByRole('heading', { name: heading }).waitFor()
    await expectSoon(() => opened.getByText('January 1, 2025').count(), 2)
    await opened.getByRole('link', { name: 'contact@tripline.local' }).waitFor()
    await opened.getByRole('navigation').getByRole('link', { name: chapter }).click()
    await opened.waitForURL(/#[\w-]+$/)
    await opened.getByRole('link', { name: 'Back to Home' }).click()
    await opened.getByRole('heading', { name: 'Your alerts become orders' }).waitFor()
  })

  test('keeps the chosen theme, in the app too', async () => {
    const page = await openLanding()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('button', { name: 'Switch to the light theme' }).click()
    await page.goto('/login')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
    await page.goto('/')
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
    expect(await stored(page, 'theme')).toBe('dark')
  })

  test.each([360, 1440])('fits a window of %d px', async (width) => {
    const page = await openLanding(width)
    await isLive(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.goto('/terms')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })
})

describe('2 and 4, Live Activity: "Public live stream (landing)"', () => {
  test('is "fed by the public event stream", and does not reveal its users', async () => {
    const page = await openLanding()
    await isLive(page)
    await activity(page).getByText('Sensitive data (API keys, balances, prices) is masked').waitFor()
    await sendAlert()
    await activity(page).getByText('market buy BTCUSDT acknowledged').first().waitFor()
    expect(await activity(page).textContent()).not.toMatch(/MyBot|0\.01|60000/)
  })

  test('"auto-scrolls to the bottom unless ..." somebody reads, and leads back to the newest line', async () => {
    const page = await openLanding()
    await isLive(page)
    // Decided otherwise: a person who points at the list reads it, at its end too.
    await activity(page).getByRole('list').hover()
    await sendAlert()
    const jump = activity(page).getByRole('button', { name: /^Jump to latest \(\d+\)$/ })
    // On the way to it the pointer leaves the list.
    await jump.hover()
    await jump.click()
    await jump.waitFor({ state: 'detached' })
  })

  test('"It returns to connecting on a read error or end", and comes back without a line twice', async () => {
    const page = await openLanding()
    await isLive(page)
    await sendAlert()
    await activity(page).getByText('Alert BTCUSDT success').first().waitFor()
    await web.product.stopService('gateway')
    await activity(page).getByRole('status').getByText('Connecting to live stream...').waitFor()
    await waitlistEmail(page).fill(stranger().email)
    await notifyMe(page).click()
    await page.getByRole('alert').getByText('Failed to join waitlist').waitFor()
    const before = await activity(page).getByRole('listitem').count()
    await web.product.restart('gateway')
    await isLive(page)
    await expectSoon(() => activity(page).getByRole('listitem').count(), before)
  })
})

describe('2, 4 and 8, waitlist', () => {
  test('takes an email once, and says so', async () => {
    const page = await openLanding()
    const { email } = stranger()
    await notifyMe(page).click()
    await page.getByRole('alert').getByText('Email required').waitFor()
    await page.locator('.waitlist-fault', { hasText: 'Please enter your email address' }).waitFor()
    await waitlistEmail(page).fill('ada@example')
    await notifyMe(page).click()
    await page.locator('.waitlist-fault', { hasText: 'Please enter a valid email address' }).waitFor()
    await waitlistEmail(page).fill(email)
    await notifyMe(page).click()
    await page
      .locator('.waitlist-joined', { hasText: "Success! You've been added to the waitlist!" })
      .waitFor()
    await page.getByRole('button', { name: 'Add another email' }).click()
    await waitlistEmail(page).fill(email)
    await page.keyboard.press('Enter')
    const already = "Already subscribed! You're already on the waitlist"
    await page.locator('.waitlist-joined', { hasText: already }).waitFor()
  })
})

test('2, "Waitlist-only teaser page": it has nine tiles and the waitlist, and no way into the app', async () => {
  const teaser = await startSecondGateway(web.product, { FRONT_PAGE: 'teaser' })
  try {
    const page = await web.browser.open(390)
    await page.goto(`${teaser.url}/home`)
    await expectSoon(() => page.getByRole('listitem').count(), 9)
    await expectSoon(() => page.getByRole('link').count(), 0)
    await waitlistEmail(page).fill(stranger().email)
    await notifyMe(page).click()
    await page.getByRole('button', { name: 'Add another email' }).click()
    await page.getByText('© 2025').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  } finally {
    await teaser.stop()
  }
})

testComplaints(web)
