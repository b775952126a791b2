import { mkdir } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import path from 'node:path'
import { startChildServer, waitUntilReady } from './child-server.ts'
import { libraryFolder, unpackDebianPackage } from './debian-package.ts'
import { findProgram, isProgram } from './find-program.ts'
import { freePort } from './free-port.ts'
import { givenServer, type OnServerChange, ownServer, type Server } from './server.ts'

interface RedisOptions {
  dataDir: string
  onChange?: OnServerChange | undefined
}

interface RedisProgram {
  command: string
  libraries?: string
}

// Attempts that are open, and answers of ids, outlive it: each change is in its file before it is answered.
const persistence = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec']

const waysOut = `No Redis was found. Any of these helps:
  - set REDIS_URL to a Redis or Valkey server,
  - put redis-server or valkey-server on PATH,
  - on Debian or Ubuntu: make apt-get work, so that one can be fetched,
  - set TRIPLINE_DOCKER=1 to use a container engine.`

/** A Redis: the one given, else one of our own on a free port of this machine. */
export async function startRedis({ dataDir, onChange }: RedisOptions): Promise<Server> {
  const given = givenServer('REDIS_URL')
  if (given) return given
  if (process.env['TRIPLINE_DOCKER'] === '1') {
    const { startRedisContainer } = await import('./container.ts')
    return startRedisContainer()
  }
  const { command, libraries } = await redisProgram()
  const port = await freePort()
  const folder = path.join(dataDir, 'redis')
  await mkdir(folder, { recursive: true })
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...persistence]
  const env = { ...process.env, ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}) }
  const launch = async () => {
    const server = await startChildServer({ name: 'redis', dataDir, command, args, env })
    await waitUntilReady(server, () => answersPing(port))
    return server
  }
  return ownServer({ url: `redis://127.0.0.1:${port}`, how: command, dataDir, launch, onChange })
}

async function redisProgram(): Promise<RedisProgram> {
  const [found] = [...findProgram('redis-server'), ...findProgram('valkey-server')]
  if (found) return { command: found }
  const folder = await unpackDebianPackage({ name: 'redis-server', withDependencies: true }).catch(
    (cause) => {
      throw new Error(waysOut, { cause })
    },
  )
  const command = path.join(folder ?? '', 'usr/bin/redis-server')
  if (!folder || !isProgram(command)) throw new Error(waysOut)
  return { command, libraries: libraryFolder(folder) }
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (chunk) => finish(chunk.toString().startsWith('+PONG')))
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
  })
}
