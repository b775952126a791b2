import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isLongRun } from '@tripline/testkit/seed'
import type { Page } from 'playwright-core'
import { linkRealBot } from './real-bot.ts'
import { startSecondGateway } from './second-gateway.ts'
import { webFixture } from './web-fixture.ts'

const web = webFixture()
let teaser: Awaited<ReturnType<typeof startSecondGateway>>

beforeAll(async () => {
  for (const commands of ['market(buy, 0.01); balance()', 'market(buy, 1000000)', 'nonsense()']) {
    await fetch(web.demo.webhookUrl, { method: 'POST', body: `MyBot(BTCUSDT) { ${commands} }` })
  }
  await linkRealBot(web.product, web.demo.accessToken, 'RealBot')
  teaser = await startSecondGateway(web.product, { FRONT_PAGE: 'teaser' })
}, 120_000)

afterAll(async () => await teaser?.stop())

const open = [
  '/',
  '/login',
  '/register',
  '/verify-email',
  '/forgot-password',
  '/reset-password?token=any',
  '/terms',
  '/privacy',
]
const inSession = [
  '/dashboard',
  '/api-keys',
  '/executions',
  '/webhook',
  '/notifications',
  '/terminal',
  '/profile',
]
const every = [...open, ...inSession]
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** A page of the demo user in a theme, without movement. */
async function pageIn(theme: 'dark' | 'light', width: number): Promise<Page> {
  const page = await web.browser.open(width)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const keep = { theme, accessToken: web.demo.accessToken }
  await page.addInitScript((kept) => {
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value)
  }, keep)
  return page
}

const unfinished = '.ant-skeleton, .ant-spin-spinning, [aria-busy=true], .full-screen-spinner'

/** Goes to a screen and waits until everything on it is there. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator(unfinished).filter({ visible: true }).first().waitFor({ state: 'hidden' })
}

/** What axe finds on the page as it is: the rule, and where. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(rules).analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

// What differs between looks is color or layout, so two of them show both; a long run takes all.
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

describe('axe finds nothing', () => {
  test.each(looks)(
    'on any screen in the %s theme, %d px wide',
    async (theme, width) => {
      const page = await pageIn(theme, width)
      const found: Record<string, string[]> = {}
      for (const path of [...every, teaser.url]) {
        await goTo(page, path)
        const here = await violations(page)
        if (here.length > 0) found[path] = here
      }
      expect(found).toEqual({})
    },
    300_000,
  )

  test.each(looks)(
    'on any dialog or open list in the %s theme, %d px wide',
    async (theme, width) => {
      const page = await pageIn(theme, width)
      const found: Record<string, string[]> = {}
      for (const [name, { path, openIt, whenWide = true }] of Object.entries(overlays)) {
        if (width >= 768 && !whenWide) continue
        await goTo(page, path)
        await openIt(page)
        const here = await violations(page)
        if (here.length > 0) found[name] = here
      }
      expect(found).toEqual({})
    },
    300_000,
  )
})

interface Overlay {
  path: string
  openIt: (page: Page) => Promise<void>
  whenWide?: boolean
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).first().click()
const shown = (page: Page, selector: string) => page.locator(selector).first().waitFor()

const overlays: Record<string, Overlay> = {
  'the navigation': {
    path: '/profile',
    openIt: async (page) => {
      await press(page, 'Open navigation')
      await shown(page, '.ant-drawer [aria-current=page], .ant-drawer nav')
    },
    whenWide: false,
  },
  'the palette': {
    path: '/profile',
    openIt: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: 'Check Balance on MyBot' }).waitFor()
    },
  },
  'the shortcuts': {
    path: '/profile',
    openIt: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  'the pause of trading': {
    path: '/profile',
    openIt: async (page) => {
      await press(page, 'Pause trading')
      await page.getByRole('dialog').waitFor()
    },
  },
  'the recent messages': {
    path: '/terminal',
    openIt: async (page) => {
      await press(page, 'Recent messages')
      await page.getByText('Nothing was said yet.').waitFor()
    },
  },
  'the menu of the user': {
    path: '/profile',
    openIt: async (page) => {
      await press(page, web.demo.email)
      await page.getByRole('menuitem', { name: 'Logout' }).waitFor()
    },
  },
  'a refused registration': {
    path: '/register',
    openIt: async (page) => {
      await press(page, 'Create Account')
      await page.getByText('Required').first().waitFor()
    },
  },
  'the list of countries': {
    path: '/register',
    openIt: async (page) => {
      await page.getByLabel('Country').fill('it')
      await page.getByRole('option', { name: 'Italy' }).waitFor({ state: 'attached' })
    },
  },
  'a refused login': {
    path: '/login',
    openIt: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.org')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await press(page, 'Sign In')
      await shown(page, '.session-failure')
    },
  },
  'the drawer of a new key': {
    path: '/api-keys',
    openIt: async (page) => {
      await press(page, 'Add API Key')
      await page.getByRole('dialog').getByLabel('Label').waitFor()
    },
  },
  'the drawer of a key': {
    path: '/api-keys',
    openIt: async (page) => {
      await press(page, 'Edit MyBot')
      await page.getByRole('dialog').getByLabel('Label').waitFor()
    },
  },
  'the end of a key': {
    path: '/api-keys',
    openIt: async (page) => {
      await press(page, 'Delete MyBot')
      await page.getByRole('dialog').waitFor()
    },
  },
  'the end of a webhook address': {
    path: '/webhook',
    openIt: async (page) => {
      await press(page, 'Regenerate token')
      await page.getByRole('dialog').waitFor()
    },
  },
  'a new Paper bot': {
    path: '/terminal',
    openIt: async (page) => {
      await press(page, 'Link a Paper bot')
      await page.getByRole('dialog').waitFor()
    },
  },
  'the trading state of a bot': {
    path: '/api-keys',
    openIt: async (page) => {
      await press(page, 'Trading of MyBot')
      await page.getByRole('dialog').waitFor()
    },
  },
  'the help for a code': {
    path: '/terminal',
    openIt: async (page) => {
      await page.getByLabel('Webhook message').fill('MyBot(BTCUSDT) { markte(buy, 0.01) }')
      await press(page, 'Help for E202')
      await page.getByText('Check the spelling against the list of commands.').waitFor()
      await press(page, 'Execute')
      await page.getByText('Request failed').waitFor()
    },
  },
  'the reset of a Paper bot': {
    path: '/api-keys',
    openIt: async (page) => {
      await press(page, 'Edit MyBot')
      await press(page, 'Reset account')
      await page.getByText('Reset the Paper account of MyBot?').waitFor()
    },
  },
  'the end of all sessions': {
    path: '/profile',
    openIt: async (page) => {
      await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'the question before real money': {
    path: '/terminal',
    openIt: async (page) => {
      await page.getByText('RealBot', { exact: true }).click()
      await page.getByText('Check Balance').click()
      await page.getByText('Mainnet', { exact: true }).first().waitFor()
      await press(page, 'Execute')
      await page.getByText('RealBot trades on the exchange itself').waitFor()
    },
  },
  'all executions opened': {
    path: '/executions',
    openIt: async (page) => {
      await press(page, 'Expand all')
      await page.getByText('Open in Terminal').first().waitFor()
    },
  },
}

test('no screen scrolls sideways in a window of 360 px', async () => {
  const page = await pageIn('dark', 360)
  const tooWide: string[] = []
  for (const path of [...every, teaser.url]) {
    await goTo(page, path)
    if ((await page.evaluate('document.documentElement.scrollWidth')) !== 360) tooWide.push(path)
  }
  expect(tooWide).toEqual([])
}, 120_000)
