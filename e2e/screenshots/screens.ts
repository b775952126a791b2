import type { Page } from 'playwright-core'

/** A screen to be pictured: where it is, whether it needs a session, and how it becomes worth a look. */
export interface Screen {
  name: string
  path: string
  isInSession: boolean
  /** At the product's second address, which shows the teaser. */
  isTeaser?: boolean
  show: (page: Page) => Promise<void>
}

const heading = async (page: Page) => page.getByRole('heading', { level: 1 }).first().waitFor()

const open = (name: string, path = `/${name}`): Screen => ({ name, path, isInSession: false, show: heading })
const own = (name: string, show = heading): Screen => ({ name, path: `/${name}`, isInSession: true, show })

/** Every route of the web app. */
export const screens: Screen[] = [
  { name: 'landing', path: '/', isInSession: false, show: landing },
  { name: 'teaser', path: '/', isInSession: false, isTeaser: true, show: heading },
  open('login'),
  open('register'),
  open('verify-email', '/verify-email#token=no-such-token'),
  open('forgot-password'),
  open('reset-password', '/reset-password#token=any'),
  open('terms'),
  open('privacy'),
  own('dashboard'),
  own('positions', positions),
  own('api-keys', apiKeys),
  own('executions', executions),
  own('receipts'),
  own('webhook', webhook),
  own('terminal', terminal),
  own('notifications'),
  own('profile'),
  own('manual'),
]

async function landing(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Lightning Fast' }).click()
}

async function apiKeys(page: Page): Promise<void> {
  await page.getByText('spot-dca').first().waitFor()
}

async function positions(page: Page): Promise<void> {
  await page.getByText('Equity').first().waitFor()
}

async function executions(page: Page): Promise<void> {
  await page.locator('[data-execution]').first().click()
  await page.locator('[data-execution][aria-expanded=true]').waitFor()
}

async function webhook(page: Page): Promise<void> {
  await page.getByText('Build a message').waitFor()
}

async function terminal(page: Page): Promise<void> {
  // The editor with colors takes the place of a plain field.
  await page.locator('.cm-content').waitFor()
  await page.getByLabel('Webhook message').fill('MyBot(BTCUSDT) {\n  market(buy, 0.01)\n  balance\n}')
  await page.keyboard.press('Control+Enter')
  // On phones the answer is behind a tab.
  await page.getByText('2/2 command(s) completed').first().waitFor()
  await page.getByRole('button', { name: 'Close' }).first().click()
}
