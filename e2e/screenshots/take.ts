import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { readArguments } from '@tripline/scripts/arguments'
import { onStopRequest } from '@tripline/scripts/stop-request'
import { closers as newClosers } from '@tripline/testkit/closers'
import { rootDir } from '@tripline/testkit/paths'
import type { DemoAccount } from '@tripline/testkit/people/demo-account'
import { logIn } from '@tripline/testkit/people/person'
import { phase } from '@tripline/testkit/progress'
import { startSecondGateway } from '@tripline/testkit/second-gateway'
import { startProduct } from '@tripline/testkit/stack/product'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser } from '../browser.ts'
import { enterSession } from '../web-person.ts'
import { fillWithDemo } from './demo-content.ts'
import { type Screen, screens } from './screens.ts'

const imagesDir = path.join(rootDir, 'docs/images')
const screensDir = path.join(imagesDir, 'screens')
const looks = [1440, 390].flatMap((width) => ['dark', 'light'].map((theme) => ({ width, theme })))
const shownInReadme = ['terminal', 'executions']
// Transitions of what was just opened.
const settleMs = 600

type Look = (typeof looks)[number]

const { words } = readArguments({
  help: `npm run screenshots -- [NAME ...]
Pictures of every screen, or of those named, in both themes and two widths, below docs/images/screens; the two that the
README shows are written beside that folder.

  ${screens.map(({ name }) => name).join('\n  ')}`,
  words: screens.map(({ name }) => name),
})
const closers = newClosers()
onStopRequest(async () => {
  await closers.close()
  process.exit(1)
})

try {
  await takeAll(words)
  await closers.close()
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}

async function takeAll(names: readonly string[]): Promise<void> {
  await mkdir(screensDir, { recursive: true })
  const wanted = screens.filter(({ name }) => names.length === 0 || names.includes(name))
  const product = await startProduct({ ephemeral: true, closers, phase })
  const demo = await phase('filled it with demo content', () => fillWithDemo(product))
  const teaser = await startSecondGateway(product, { FRONT_PAGE: 'teaser' })
  await closers.add(() => teaser.stop())
  const browser = await startBrowser(product.urls.web)
  await closers.add(() => browser.stop())
  const urls = { web: product.urls.web, teaser: teaser.url }
  for (const look of looks) {
    const label = `took ${wanted.length} screens ${look.theme}, ${look.width} px wide`
    await phase(label, () => takeLook(browser, { wanted, look, demo, urls }))
  }
  for (const name of shownInReadme.filter((shown) => wanted.some((screen) => screen.name === shown))) {
    await copyFile(path.join(screensDir, `${name}-dark-1440.png`), path.join(imagesDir, `${name}.png`))
  }
}

interface LookOptions {
  wanted: readonly Screen[]
  look: Look
  demo: DemoAccount
  urls: { web: string; teaser: string }
}

async function takeLook(browser: TestBrowser, { wanted, look, demo, urls }: LookOptions): Promise<void> {
  const page = await browser.open(look.width)
  await page.addInitScript((theme) => localStorage.setItem('theme', theme), look.theme)
  let isIn = false
  for (const screen of wanted.toSorted((one, other) => Number(one.isInSession) - Number(other.isInSession))) {
    if (screen.isInSession && !isIn) {
      await enterSession(page, await logIn(urls.web, demo))
      isIn = true
    }
    await page.goto(screen.isTeaser ? urls.teaser : screen.path)
    await take(page, screen, look)
  }
  await page.close()
}

async function take(page: Page, { name, show }: Screen, { theme, width }: Look): Promise<void> {
  await show(page)
  await page.waitForTimeout(settleMs)
  // The screens of a session scroll within a frame; those for the README are what one sees without scrolling.
  const fullPage = !shownInReadme.includes(name)
  await page.screenshot({ path: path.join(screensDir, `${name}-${theme}-${width}.png`), fullPage })
}
