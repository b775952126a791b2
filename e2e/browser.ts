import { chromiumProgram } from '@tripline/testkit/infra/chromium'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser for tests. */
export interface TestBrowser {
  /** A page of a person who was never here and wants no movement, in a window of this width. */
  open(width?: number): Promise<Page>
  /** The complaints of any page: faults of scripts, and loads that the content security policy stopped. */
  complaints: string[]
  stop(): Promise<void>
}

/** Starts a browser that looks at this address. */
export async function startBrowser(baseURL: string): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: await chromiumProgram(), args: flags })
  const complaints: string[] = []
  const contexts: BrowserContext[] = []
  return {
    complaints,
    open: async (width = 1440) => {
      // A click on what still moves may meet what lies behind it.
      const context = await browser.newContext({
        baseURL,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      })
      contexts.push(context)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (line) => {
        if (line.text().includes('Content Security Policy')) complaints.push(line.text())
      })
      return page
    },
    stop: async () => {
      for (const context of contexts) await context.close()
      await browser.close()
    },
  }
}
