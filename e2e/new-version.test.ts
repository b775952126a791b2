import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import { logIn } from '@tripline/testkit/people/person'
import { startSecondGateway } from '@tripline/testkit/second-gateway'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser } from './browser.ts'
import { expectSoon, webFixture } from './web-fixture.ts'
import { enterSession } from './web-person.ts'

// Each test deploys to a gateway of its own.
jest.setTimeout(120_000)

const web = webFixture()
let site: { folder: string; remove: () => Promise<void> }
let gateway: Awaited<ReturnType<typeof startSecondGateway>>
let browser: TestBrowser

beforeAll(async () => {
  site = await temporaryFolder()
  gateway = await startSecondGateway(web.product, { WEB_DIR: site.folder })
  browser = await startBrowser(gateway.url)
})

afterAll(async () => {
  await browser.stop()
  await gateway.stop()
  await site.remove()
})

beforeEach(async () => await cp(path.join(rootDir, 'web/dist'), site.folder, { recursive: true }))
afterEach(async () => {
  for (const name of await readdir(site.folder)) await rm(path.join(site.folder, name), { recursive: true })
})

const assets = () => path.join(site.folder, 'assets')

/** Gives every script another name, as a build does whose sources all changed. */
async function deploy(): Promise<void> {
  const names = await readdir(assets())
  const scripts = names.filter((name) => name.endsWith('.js'))
  const renewed = (text: string) => scripts.reduce((all, name) => all.replaceAll(name, newer(name)), text)
  for (const name of scripts) {
    const file = path.join(assets(), name)
    await writeFile(path.join(assets(), newer(name)), renewed(await readFile(file, 'utf8')))
    await rm(file)
  }
  // Files compressed before are of the version before.
  for (const name of names.filter((each) => /\.js\.(gz|br)$/.test(each))) await rm(path.join(assets(), name))
  const page = path.join(site.folder, 'index.html')
  await writeFile(page, renewed(await readFile(page, 'utf8')))
}

const newer = (script: string) => script.replace('.js', '-newer.js')

/** A page of the version before the deployment, which its next document is not. */
async function openOldPage(address: string): Promise<Page> {
  const page = await browser.open()
  await enterSession(page, await logIn(web.product.urls.web, web.demo))
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate('window.isOld = true')
  return page
}

const isOld = (page: Page) => page.evaluate('window.isOld === true')
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const toWebhook = (page: Page) => navigation(page).getByRole('link', { name: 'Webhook' }).click()
const webhookHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Webhook' })

test('a tab from before a deployment takes the new version by itself where nothing is being written', async () => {
  const page = await openOldPage('/dashboard')
  await deploy()
  await toWebhook(page)
  await webhookHeading(page).waitFor()
  expect(await isOld(page)).toBe(false)
})

test('it asks first while a message is being written, and brings that along', async () => {
  const page = await openOldPage('/terminal')
  await page.locator('.cm-content').waitFor()
  const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
  await page.getByLabel('Webhook message').fill(message)
  await deploy()
  await toWebhook(page)
  await page.getByRole('alert').getByText('A new version is available.').waitFor()
  expect(await isOld(page)).toBe(true)
  await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click()
  await webhookHeading(page).waitFor()
  expect(await isOld(page)).toBe(false)
  await navigation(page).getByRole('link', { name: 'Terminal' }).click()
  await expectSoon(() => page.locator('.cm-content').textContent(), message)
})

test('it loads itself anew only once where that does not help, and says what is wrong', async () => {
  const page = await openOldPage('/dashboard')
  let documents = 0
  page.on('domcontentloaded', () => {
    documents += 1
  })
  await deploy()
  const gone = (await readdir(assets())).find((name) => /^webhook-page-.*\.js$/.test(name))
  await rm(path.join(assets(), String(gone)))
  await toWebhook(page)
  await expectSoon(async () => documents, 1)
  await page.getByText('This page stopped working').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectSoon(async () => documents, 2)
  await page.getByText('This page stopped working').waitFor()
  expect(documents).toBe(2)
})
