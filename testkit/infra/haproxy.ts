import { connect as connectTcp } from 'node:net'
import path from 'node:path'
import { type ChildServer, startChildServer, waitUntilReady } from './child-server.ts'
import { libraryFolder, unpackDebianPackage } from './debian-package.ts'
import { findProgram, isProgram } from './find-program.ts'

const waysOut = `No HAProxy was found. Any of these helps:
  - put haproxy >= 2.6 on PATH,
  - on Debian or Ubuntu: make apt-get work, so that it can be fetched.`

interface HaproxyOptions {
  dataDir: string
  configFile: string
  /** The port of this machine at which it is to be reached. */
  port: number
  /** The variables that the configuration reads. */
  env: Record<string, string>
}

/** An HAProxy of our own with this configuration; fetched if the machine has none. */
export async function startHaproxy({ dataDir, configFile, port, env }: HaproxyOptions): Promise<ChildServer> {
  const { command, libraries } = await haproxyProgram()
  const server = await startChildServer({
    name: 'haproxy',
    dataDir,
    command,
    args: ['-db', '-f', configFile],
    env: { ...env, ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) },
  })
  await waitUntilReady(server, () => takesConnections(port))
  return server
}

async function haproxyProgram(): Promise<{ command: string; libraries?: string }> {
  const [found] = findProgram('haproxy')
  if (found !== undefined) return { command: found }
  const folder = await unpackDebianPackage({ name: 'haproxy', withDependencies: true }).catch((cause) => {
    throw new Error(waysOut, { cause })
  })
  const command = path.join(folder ?? '', 'usr/sbin/haproxy')
  if (folder === undefined || !isProgram(command)) throw new Error(waysOut)
  return { command, libraries: libraryFolder(folder) }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1')
    const finish = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
