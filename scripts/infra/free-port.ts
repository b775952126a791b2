import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range from which systems number outgoing connections, so that none takes the port while its server is
// being started again.
const lowestPort = 20_000
const highestPort = 32_000

/** A port of this machine that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowestPort, highestPort)
    if (!(await isPortTaken(port))) return port
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
