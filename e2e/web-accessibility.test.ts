import { afterAll, beforeAll } from '@jest/globals'
import { startSecondGateway } from '@tripline/testkit/second-gateway'
import type { Page } from 'playwright-core'
import {
  accessibilityFixture,
  dialogBehind,
  type Overlay,
  press,
  testOverlays,
  testScreens,
} from './accessibility-fixture.ts'
import { testComplaints } from './web-fixture.ts'

const web = accessibilityFixture()
let teaser: Awaited<ReturnType<typeof startSecondGateway>>

beforeAll(async () => {
  teaser = await startSecondGateway(web.product, { FRONT_PAGE: 'teaser' })
}, 120_000)

afterAll(async () => await teaser?.stop())

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
      await page.getByRole('combobox', { name: 'Search and run' }).fill('mybot')
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
  'the pause of trading': dialogBehind('/profile', 'Pause trading'),
  'the recent messages': {
    path: '/terminal',
    openIt: async (page) => {
      await press(page, 'Recent messages')
      await page.getByText('No messages yet.').waitFor()
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
      await page.getByText('First name is required').first().waitFor()
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
  'the end of all sessions': {
    path: '/profile',
    openIt: async (page) => {
      await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
}

const screens = [
  '/',
  '/login',
  '/register',
  '/verify-email',
  '/verify-email#token=any',
  '/forgot-password',
  '/reset-password#token=any',
  '/terms',
  '/privacy',
  '/dashboard',
  '/notifications',
  '/manual',
  '/profile',
]

testScreens(web, () => [...screens, teaser.url])
testOverlays(web, overlays)
testComplaints(web)
