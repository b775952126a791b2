import type { TokenPair } from '@tripline/proto/http/auth'
import { type Login, newEmail } from '@tripline/testkit/people/person'
import { mailedToken } from '@tripline/testkit/people/verify-email'
import type { Locator, Page } from 'playwright-core'

/** Somebody nobody has met, who has no account yet. */
export function stranger(): Login {
  return { email: newEmail(), password: 'A long secret 1' }
}

/** Fills in the login that is on the screen and sends it. */
export async function logIn(page: Page, { email, password }: Login): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Fills in the registration that is on the screen and sends it. */
export async function register(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Byron')
  await page.getByLabel('Country').fill('ital')
  await page.locator('.ant-select-item-option-active', { hasText: 'Italy' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Confirm email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

/** Fills in the password that the page of a verification link asks for, and sends it. */
export async function verify(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Verify Email' }).click()
}

/** Returns the target of the mailed link to one of our screens, once a person has such a mail. */
export async function mailedPath(
  webUrl: string,
  { email }: Login,
  screen: 'verify-email' | 'reset-password',
): Promise<string> {
  const token = await mailedToken(webUrl, email, screen)
  return `/${screen}#token=${token}`
}

/** Returns the page's value under a key in the browser. */
export function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key)
}

/** All that a page holds and its browser keeps of it: the document, the address, both storages and the cookies. */
export async function everythingOn(page: Page): Promise<string> {
  const stores = 'JSON.stringify(localStorage), JSON.stringify(sessionStorage)'
  const texts = await page.evaluate<string[]>(`[location.href, document.cookie, ${stores}]`)
  return [await page.content(), ...texts].join('\n')
}

/** Puts a session into a page, for all that is opened in it from then on; it may use the clipboard, too. */
export async function enterSession(page: Page, tokens: TokenPair): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/favicon.svg')
  await page.evaluate((both) => {
    localStorage.setItem('accessToken', both.access_token)
    localStorage.setItem('refreshToken', both.refresh_token)
  }, tokens)
}

/** The button that sends, once it does: its title says what is missing as long as the webhook's address is. */
export const executeButton = (page: Page): Locator =>
  page.locator('button:not(.ant-btn-loading):not([title])', { hasText: 'Execute' })

/** Makes the page that runs it one that nobody sees, which asks for nothing by itself. */
export const hidePage = `{
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
  dispatchEvent(new Event('visibilitychange'))
}`

/** Waits for a notice of this title that says this. */
export async function expectNotice(page: Page, title: string, description: string): Promise<void> {
  const notices = page.locator('.ant-notification-notice', { hasText: title })
  await notices.filter({ hasText: description }).first().waitFor()
}
