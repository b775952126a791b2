import {
  accessibilityFixture,
  dialogBehind,
  type Overlay,
  press,
  testOverlays,
  testScreens,
} from './accessibility-fixture.ts'
import { testComplaints } from './web-fixture.ts'
import { executeButton } from './web-person.ts'

const web = accessibilityFixture()

const overlays: Record<string, Overlay> = {
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
  'the question before a bot is flattened': dialogBehind('/positions', 'Flatten MyBot'),
  'the end of a key': dialogBehind('/api-keys', 'Delete MyBot'),
  'the end of a webhook address': dialogBehind('/webhook', 'Regenerate token'),
  'a new Paper bot': dialogBehind('/terminal', 'Add a Paper bot'),
  'the trading state of a bot': dialogBehind('/api-keys', 'Trading of MyBot'),
  'the help for a code': {
    path: '/terminal',
    openIt: async (page) => {
      await page.getByLabel('Webhook message').fill('MyBot(BTCUSDT) { markte(buy, 0.01) }')
      await press(page, 'Help for E202')
      await page.getByText('Check the spelling against the list of commands.').waitFor()
      await executeButton(page).click()
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
  'the question before real money': {
    path: '/terminal',
    openIt: async (page) => {
      await page.getByText('RealBot', { exact: true }).click()
      await page.getByText('Check Balance').click()
      await page.getByText('Mainnet', { exact: true }).first().waitFor()
      await executeButton(page).click()
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

testScreens(web, () => ['/positions', '/api-keys', '/executions', '/receipts', '/webhook', '/terminal'])
testOverlays(web, overlays)
testComplaints(web)
