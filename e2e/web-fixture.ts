import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type DemoAccount, openDemoAccount } from '@tripline/testkit/people/demo-account'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser } from './browser.ts'

/** The fixture of a file's tests while they run. */
export interface WebFixture {
  product: Product
  demo: DemoAccount
  browser: TestBrowser
}

/** The running product with its demo account, and a browser that looks at it, for all tests of a file. */
export function webFixture(env: () => Record<string, string> = () => ({})): WebFixture {
  const started: Partial<WebFixture> = {}
  beforeAll(async () => {
    const product = await startProduct({ ephemeral: true, env: env() })
    started.product = product
    started.demo = await openDemoAccount(product.urls.web, product.dataDir)
    started.browser = await startBrowser(product.urls.web)
  }, 120_000)
  afterAll(async () => {
    await started.browser?.stop()
    await started.product?.stop()
  }, 60_000)
  // Nothing is read from it before everything has started.
  return started as WebFixture
}

/** The last test of a file: no page that it opened met its content security policy, or broke. */
export function testComplaints(web: WebFixture): void {
  test('no page ever broke or met its content security policy', () => {
    expect(web.browser.complaints).toEqual([])
  })
}

const soonMs = 30_000

/** Expects this of what is read from a page, at once or a little later: a page shows what a click did when it can. */
export async function expectSoon<Seen>(read: () => Promise<Seen>, expected: Seen): Promise<void> {
  const deadline = performance.now() + soonMs
  let seen = await read()
  while (!isDeepStrictEqual(seen, expected) && performance.now() < deadline) {
    await pause(50)
    seen = await read()
  }
  expect(seen).toEqual(expected)
}

/** Expects a form to end so, or what a mailed link began; where it ends otherwise, the failure has the words of that. */
export async function expectOutcome(page: Page, words: string): Promise<void> {
  const outcomes = page.locator('.session-failure, .outcome')
  const read = async () => {
    const said = (await outcomes.allTextContents()).join(' | ')
    return said.includes(words) ? words : said
  }
  await expectSoon(read, words)
}
