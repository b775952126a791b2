import { randomBytes } from 'node:crypto'
import { ask, type PaperControl, paperControl } from './paper-control.ts'
import { paperHost } from './paper-host.ts'

/** A paper exchange of one's own, with its control API. */
export interface TestPaper extends PaperControl {
  readonly url: string
  readonly internalToken: string
  stop(): Promise<void>
}

/** Starts a paper exchange in another process; prices stand still and no limit refuses, unless the settings say so. */
export async function paperExchange(settings: Record<string, string> = {}): Promise<TestPaper> {
  const host = await paperHost()
  const internalToken = randomBytes(24).toString('base64url')
  const usual = { PORT: '0', INTERNAL_TOKEN: internalToken, PAPER_CONTROL: 'on', PAPER_LIMITS: 'off' }
  const port = await ask(host.url, 'POST', { ...usual, LOG_LEVEL: 'warn', ...settings })
  const url = `http://127.0.0.1:${port}`
  return {
    ...paperControl(url),
    url,
    internalToken,
    stop: async () => {
      await ask(`${host.url}/${port}`, 'DELETE')
      await host.stop()
    },
  }
}
