// Loaded into a service before its own code: tells whoever connects what the process holds, garbage collected first.
import { createServer } from 'node:net'
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
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    socket.end(JSON.stringify({ rss, heapUsed, handles: process.getActiveResourcesInfo().length }))
  })
  server.listen(path.join(folder, `${process.pid}.sock`)).unref()
}
