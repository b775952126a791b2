import { randomInt } from 'node:crypto'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'

// Below the range from which systems number outgoing connections, so that none takes the port while its server is
// being started again.
const lowestPort = 20_000
const highestPort = 32_000

// A port is given to one asker only, also by other processes, until its server has had the time to listen.
const heldMs = 60_000
const holds = path.join(tmpdir(), `tripline-ports-${userInfo().uid}`)

/** A port of this machine that nobody listens on at the moment, and that nobody else was given just now. */
export async function freePort(): Promise<number> {
  await mkdir(holds, { recursive: true })
  for (;;) {
    const port = randomInt(lowestPort, highestPort)
    if ((await hold(port)) && !(await isPortTaken(port))) return port
  }
}

async function hold(port: number): Promise<boolean> {
  const mark = path.join(holds, String(port))
  try {
    await (await open(mark, 'wx')).close()
    return true
  } catch {
    const heldSince = await stat(mark).catch(() => undefined)
    if (heldSince !== undefined && Date.now() - heldSince.mtimeMs > heldMs) await rm(mark, { force: true })
    return false
  }
}

/** Whether somebody listens on the port. */
export async function isPortTaken(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(true))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
}
