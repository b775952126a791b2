// Loaded into a service before its own code: sends each client that connects the use of the process, garbage collected
// first.
import { subscribe } from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const { VITALS_DIR } = process.env

// Threads are started with the same options, and are the same process.
if (VITALS_DIR !== undefined && isMainThread) answerIn(VITALS_DIR)

function answerIn(folder: string): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const restingNow = watchConnections()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const resting = restingNow()
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    const handles = process.getActiveResourcesInfo().length - resting.length
    const ports = resting.map(({ remotePort, localPort }) => [remotePort, localPort])
    socket.end(JSON.stringify({ rss, heapUsed, handles, resting: ports }))
  })
  server.listen(path.join(folder, `${process.pid}.sock`)).unref()
}

/** The connections on which a request was answered and no other has begun. */
function watchConnections(): () => Socket[] {
  const resting = new Set<Socket>()
  subscribe('http.server.request.start', (message) => void resting.delete(socketIn(message)))
  subscribe('http.server.response.finish', (message) => void resting.add(socketIn(message)))
  return () => {
    for (const socket of resting) if (socket.destroyed) resting.delete(socket)
    return [...resting]
  }
}

function socketIn(message: unknown): Socket {
  return (message as { socket: Socket }).socket
}
