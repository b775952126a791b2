import path from 'node:path'
import { startChildServer, waitUntilReady } from './infra/child-server.ts'
import { freePort } from './infra/free-port.ts'
import { temporaryFolder } from './infra/temporary-folder.ts'
import { rootDir } from './paths.ts'
import { compileCache } from './stack/service-process.ts'

/** A process that runs paper exchanges. */
export interface PaperHost {
  url: string
  stop(): Promise<void>
}

const main = path.join(rootDir, 'services/paper-exchange/test/host-main.ts')

/** Starts a process that runs paper exchanges, none at first. */
export async function startPaperHost(): Promise<PaperHost> {
  const { folder, remove } = await temporaryFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startChildServer({
    name: 'paper-host',
    dataDir: folder,
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', main, `${port}`],
    env: { PATH: process.env['PATH'], ...compileCache },
  })
  await waitUntilReady(server, async () => (await fetch(url).catch(() => undefined))?.ok === true)
  return {
    url,
    stop: async () => {
      await server.stop()
      await remove()
    },
  }
}

/** The hosts that the runner started, one for each of its workers. */
const given = process.env['PAPER_HOSTS']?.split(' ').filter(Boolean) ?? []

/** Returns the host of this worker of the runner, or a new one where nobody started any. */
export async function paperHost(): Promise<PaperHost> {
  const url = given[Number(process.env['JEST_WORKER_ID'] ?? 1) % given.length]
  return url === undefined ? await startPaperHost() : { url, stop: async () => undefined }
}
