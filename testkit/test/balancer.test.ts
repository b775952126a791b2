import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { freePort } from '../infra/free-port.ts'
import { startHaproxy } from '../infra/haproxy.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { rootDir } from '../paths.ts'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  scratch = await temporaryFolder()
})
afterEach(() => scratch.remove())

test('the balancer hangs up on intake once the caller of an alert has hung up', async () => {
  const arrived = Promise.withResolvers<void>()
  const left = Promise.withResolvers<boolean>()
  // It never answers an alert.
  const intake = createServer((request, response) => {
    if (request.method === 'GET') return response.end()
    response.once('close', () => left.resolve(response.writableFinished))
    arrived.resolve()
  })
  const address = await listening(intake)
  const port = await freePort()
  const there = { GATEWAY_1: address, GATEWAY_2: address, INTAKE_1: address, INTAKE_2: address }
  const balancer = await startHaproxy({
    dataDir: scratch.folder,
    configFile: path.join(rootDir, 'deploy/haproxy.cfg'),
    port,
    env: { DOOR: `127.0.0.1:${port}`, ...there },
  })
  try {
    const caller = connect(port, '127.0.0.1')
    caller.write('POST /webhook/x HTTP/1.1\r\nhost: tripline\r\ncontent-length: 2\r\n\r\nhi')
    await arrived.promise
    caller.destroy()
    expect(await left.promise).toBe(false)
  } finally {
    await balancer.stop()
    intake.closeAllConnections()
    intake.close()
  }
})

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `127.0.0.1:${address.port}`
}
