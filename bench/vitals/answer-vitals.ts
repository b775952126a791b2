// Loaded into a service before its own code: sends each client that connects the use of the process, garbage collected
// first.
import { subscribe } from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { watchLiveHeap } from './live-heap.ts'

const { VITALS_DIR, VITALS_HEAP } = process.env

// Threads are started with the same options, and are the same process.
if (VITALS_DIR !== undefined && isMainThread)
  answerIn(VITALS_DIR, VITALS_HEAP === undefined ? async () => ({}) : await watchLiveHeap())

function answerIn(folder: string, heldBytes: () => Promise<Record<string, number>>): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const restingNow = watchConnections()
  const collections = watchCollections()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    void answer(socket)
  })
  const answer = async (socket: Socket): Promise<void> => {
    const resting = restingNow()
    const pauses = collections.pauses()
    collections.without(collect)
    const { rss, heapUsed } = process.memoryUsage()
    const handles = process.getActiveResourcesInfo().length - resting.length
    const ports = resting.map(({ remotePort, localPort }) => [remotePort, localPort])
    const held = await heldBytes()
    socket.end(JSON.stringify({ rss, heapUsed, handles, resting: ports, pauses, held }))
  }
  server.listen(path.join(folder, `${process.pid}.sock`)).unref()
}

/** Pauses for the collection of garbage since they were asked for last, in ms; one of our own counts for nothing. */
function watchCollections() {
  let pauses: number[] = []
  // An entry may come only behind the next one of our own.
  const own: { from: number; to: number }[] = []
  const note = (entries: readonly PerformanceEntry[]): void => {
    const isOwn = ({ startTime: at }: PerformanceEntry) => own.some(({ from, to }) => at >= from && at <= to)
    const others = entries.filter((entry) => !isOwn(entry))
    pauses.push(...others.map(({ duration }) => duration))
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  return {
    pauses: (): number[] => {
      note(observer.takeRecords())
      const seen = pauses
      pauses = []
      return seen
    },
    without: (collect: () => void): void => {
      const from = performance.now()
      collect()
      own.push({ from, to: performance.now() })
    },
  }
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
