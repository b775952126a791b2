import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Closers } from '@tripline/testkit/closers'
import { freePort } from '@tripline/testkit/infra/free-port'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import { serviceProcess } from '@tripline/testkit/stack/service-process'
import { waitUntil } from '@tripline/testkit/wait-until'

/** Starts the paper exchange on its own, apart from any product, as an exchange is; returns its port. */
export async function startVenue(dataDir: string, homeOfKeys: string, closers: Closers): Promise<number> {
  await mkdir(dataDir, { recursive: true })
  const token = path.join(dataDir, 'internal-token')
  await copyFile(localKeys(homeOfKeys).internalTokenFile, token)
  const port = await freePort()
  const venue = serviceProcess({
    name: 'paper-exchange',
    folder: 'services/paper-exchange',
    dataDir,
    env: {
      PATH: process.env['PATH'],
      TRIPLINE_MODE: 'local',
      PORT: `${port}`,
      INTERNAL_TOKEN_FILE: token,
      PAPER_DATA_DIR: path.join(dataDir, 'state'),
      PAPER_LIMITS: 'off',
    },
    onLine: () => undefined,
    onDeath: (how) => console.log(`the exchange ended with ${how}`),
  })
  await closers.add(venue.stop)
  await venue.start()
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  await waitUntil(isReady, { deadlineMs: 60_000, awaited: 'the exchange' })
  return port
}
