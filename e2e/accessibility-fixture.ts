import { AxeBuilder } from '@axe-core/playwright'
import { beforeAll, expect, test } from '@jest/globals'
import { linkRealBot } from '@tripline/testkit/people/real-bot'
import { isLongRun } from '@tripline/testkit/seed'
import type { Page } from 'playwright-core'
import { rawValues } from './raw-values.ts'
import { smallTargets } from './small-targets.ts'
import { expectSoon, type WebFixture, webFixture } from './web-fixture.ts'

// Alerts that end well, wait at the exchange, fail, and cannot be read.
const alerts = [
  'market(buy, 0.01); stopOrTakeProfit(amount=100%p, sl=2%, tp=4%); wait(50ms); balance()',
  'limit(buy, 5%, 30000); exchangeSettings(leverage=7); cancel(limit); cancel(limit)',
  'market(buy, 1000000)',
  'nonsense()',
]

/** The running product with something on each screen of its demo account, for all tests of a file. */
export function accessibilityFixture(): WebFixture {
  // One person is logged in all the time.
  const web = webFixture(() => ({ ACCESS_TOKEN_MINUTES: '60' }))
  beforeAll(async () => {
    for (const commands of alerts) {
      await fetch(web.demo.webhookUrl, { method: 'POST', body: `MyBot(BTCUSDT) { ${commands} }` })
    }
    await linkRealBot(web.product, web.demo.accessToken, 'RealBot')
  }, 120_000)
  return web
}

/**
 * Themes and widths in which screens are looked at. Looks differ in color or layout, so two of them show both; a long
 * run takes all.
 */
const looks = [
  ['dark', 390],
  ['light', 1440],
  ...(isLongRun
    ? ([
        ['dark', 1440],
        ['light', 390],
      ] as const)
    : []),
] as const

/** A page of the demo user in a theme. */
async function pageIn(web: WebFixture, theme: 'dark' | 'light', width: number): Promise<Page> {
  const page = await web.browser.open(width)
  const keep = { theme, accessToken: web.demo.accessToken }
  await page.addInitScript((tokens) => {
    for (const [key, value] of Object.entries(tokens)) localStorage.setItem(key, value)
  }, keep)
  return page
}

const unfinished = '[class*=skeleton], .ant-spin-spinning, [aria-busy=true], .full-screen-spinner'

/** Goes to a screen and waits until everything on it is there. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expectSoon(() => page.locator(unfinished).filter({ visible: true }).count(), 0)
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Returns axe's findings on the page: the rule, and its element. It looks again before it complains, since an answer
 * that comes while it looks leaves colors halfway to others until the next frame.
 */
async function violations(page: Page): Promise<string[]> {
  const found = await violationsNow(page)
  return found.length === 0 ? found : await violationsNow(page)
}

/**
 * It looks within the page: no page has frames of other sites, for which axe would gather what it found in a blank
 * page, which takes twice as long. Rules that passed are left out, which saves half of the rest.
 */
async function violationsNow(page: Page): Promise<string[]> {
  expect(page.frames()).toHaveLength(1)
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).withTags(rules)
  const { violations: found } = await axe.setLegacyMode().analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** The tests that axe finds nothing on these screens, and that nothing on them scrolls sideways. */
export function testScreens(web: WebFixture, screens: () => string[]): void {
  test.each(looks)(
    'axe finds nothing on any screen in the %s theme, %d px wide; on a phone nothing is too small to tap, on a desktop nothing is written as machines do, and nothing scrolls sideways, at 360, 768 and 1200 px neither',
    async (theme, width) => {
      const page = await pageIn(web, theme, width)
      const found: Record<string, string[]> = {}
      for (const path of screens()) {
        await page.setViewportSize({ width, height: 900 })
        await goTo(page, path)
        const isNarrow = width < 768
        const here = [...(await violations(page)), ...(isNarrow ? await smallTargets(page) : [])]
        if (!isNarrow) here.push(...(await rawValuesIn(page)))
        if (here.length > 0) found[path] = here
        // On a tablet, too, where the navigation takes a part of the width; at 1200 px tables begin.
        for (const narrow of isNarrow ? [360] : [width, 1200, 768])
          await expectNoScrolling(page, path, narrow)
      }
      expect(found).toEqual({})
    },
    300_000,
  )
}

/** Raw values on a screen, with all that opens on it open. */
async function rawValuesIn(page: Page): Promise<string[]> {
  const expandAll = page.getByRole('button', { name: 'Expand all' })
  if ((await expandAll.count()) > 0) {
    await expandAll.click()
    await page.locator('[aria-expanded=true]').first().waitFor()
  }
  return await rawValues(page)
}

async function expectNoScrolling(page: Page, path: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  const read = async () => ({ path, width: await page.evaluate('document.documentElement.scrollWidth') })
  await expectSoon(read, { path, width })
}

/** Something that lies over a screen, or unfolds on it. */
export interface Overlay {
  path: string
  openIt: (page: Page) => Promise<void>
  whenWide?: boolean
}

/** The tests that axe finds nothing on these, each opened on its screen. */
export function testOverlays(web: WebFixture, overlays: Record<string, Overlay>): void {
  test.each(looks)(
    'axe finds nothing on any dialog or open list in the %s theme, %d px wide, and all of it is in view',
    async (theme, width) => {
      const page = await pageIn(web, theme, width)
      const found: Record<string, string[]> = {}
      for (const [name, { path, openIt, whenWide = true }] of Object.entries(overlays)) {
        if (width >= 768 && !whenWide) continue
        await goTo(page, path)
        await openIt(page)
        const here = [...(await violations(page)), ...(await outOfView(page))]
        if (here.length > 0) found[name] = here
      }
      expect(found).toEqual({})
    },
    300_000,
  )
}

const floating = '.ant-dropdown, .ant-popover, .ant-select-dropdown, [role=dialog]'

/** Boxes that lie over the page, and not within the window. */
async function outOfView(page: Page): Promise<string[]> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const boxes = await page.locator(floating).filter({ visible: true }).all()
  const places = await Promise.all(boxes.map((box) => box.boundingBox()))
  return places.flatMap((place) => {
    if (place === null) return []
    const isIn = place.x >= 0 && place.y >= 0 && place.x + place.width <= width && place.y < height
    return isIn ? [] : [`out of view: ${JSON.stringify(place)}`]
  })
}

/** Presses the first button of this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name }).first().click()

/** A dialog that a button of a screen opens. */
export function dialogBehind(path: string, button: string): Overlay {
  return {
    path,
    openIt: async (page) => {
      await press(page, button)
      await page.getByRole('dialog').waitFor()
    },
  }
}
