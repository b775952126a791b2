import type { Page } from 'playwright-core'

/** Something that people do on a screen again and again. */
export interface Interaction {
  name: string
  path: string
  ready: (page: Page) => Promise<void>
  act: (page: Page) => Promise<void>
}

const times = 6

const shown = (selector: string) => async (page: Page) => page.locator(selector).first().waitFor()

/** Interactions that have to be answered at once. */
export const interactions: Interaction[] = [
  { name: 'typing in the editor', path: '/terminal', ready: shown('.cm-content'), act: typeMessage },
  { name: 'opening an execution', path: '/executions', ready: shown('[data-execution]'), act: openRow },
  { name: 'filtering the executions', path: '/executions', ready: shown('[data-execution]'), act: filter },
  { name: 'expanding all executions', path: '/executions', ready: shown('[data-execution]'), act: expandAll },
  { name: 'opening the form of a new key', path: '/api-keys', ready: shown('h1'), act: openForm },
  { name: 'switching the theme', path: '/executions', ready: shown('[data-execution]'), act: switchTheme },
  { name: 'opening the palette', path: '/dashboard', ready: shown('h1'), act: openPalette },
]

async function typeMessage(page: Page): Promise<void> {
  await page.locator('.cm-content').fill('')
  await page.locator('.cm-content').pressSequentially('MyBot(BTCUSDT) { market(buy, 0.01); balance }')
}

async function openRow(page: Page): Promise<void> {
  const row = page.locator('[data-execution]').first()
  for (let time = 0; time < times; time++) {
    await row.click()
    await page
      .locator(`[data-execution][aria-expanded=${time % 2 === 0}]`)
      .first()
      .waitFor()
  }
}

async function expandAll(page: Page): Promise<void> {
  for (let time = 0; time < times; time++) {
    await page.getByRole('button', { name: time % 2 === 0 ? 'Expand all' : 'Collapse all' }).click()
    await page
      .locator(`[data-execution][aria-expanded=${time % 2 === 0}]`)
      .first()
      .waitFor()
  }
}

async function openForm(page: Page): Promise<void> {
  for (let time = 0; time < times; time++) {
    await page.getByRole('button', { name: 'Add API Key' }).click()
    await page.getByRole('dialog').getByLabel('Label').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

async function filter(page: Page): Promise<void> {
  const field = page.getByLabel('Symbol', { exact: true })
  for (let time = 0; time < times; time++) {
    const symbol = time % 2 === 0 ? 'ETHUSDT' : 'BTCUSDT'
    await field.fill('')
    await field.pressSequentially(symbol)
    await page.keyboard.press('Enter')
    // The address has it before the list does.
    await page.getByRole('button', { name: `Remove filter Symbol: ${symbol}` }).waitFor()
  }
}

async function switchTheme(page: Page): Promise<void> {
  for (let time = 0; time < times; time++) {
    await page.getByRole('button', { name: /Switch to the/ }).click()
    await page.locator(`html[data-theme=${time % 2 === 0 ? 'light' : 'dark'}]`).waitFor()
  }
}

async function openPalette(page: Page): Promise<void> {
  for (let time = 0; time < times; time++) {
    await page.keyboard.press('Control+k')
    await page.locator('.palette-search:focus').waitFor()
    await page.keyboard.type('exec')
    await page.keyboard.press('Escape')
    await page.locator('.palette-search').waitFor({ state: 'detached' })
  }
}
