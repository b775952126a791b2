import type { Server } from 'node:http'
import type { HttpService } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/log'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { serveControl } from './control/serve.ts'
import { createExchange } from './exchange.ts'
import { serveInternal } from './internal/serve.ts'
import { createFaults } from './store/faults.ts'
import { createJournal } from './store/journal.ts'
import { createLedger } from './store/ledger.ts'
import { createQuotes } from './store/quotes.ts'
import { forgetful, openStateFile } from './store/state-file.ts'
import { venuePath } from './wire/bases.ts'
import { createBinanceFutures } from './wire/binance-futures/serve.ts'
import { type Answer, type Incoming, json, type Reply } from './wire/message.ts'
import { createHttp } from './wire/server.ts'

const OK = json(200, { status: 'ok' })
const NOT_FOUND = json(404, { detail: 'Not found' })

/** Starts the paper exchange: one port for the venues' wires, the product's own call, and in local mode `/control`. */
export async function startPaperExchange(
  config: Config,
  overrides: { clock?: Clock } = {},
): Promise<HttpService> {
  const clock = overrides.clock ?? systemClock()
  const log = createLog('paper-exchange', config.LOG_LEVEL)
  const ledger = createLedger()
  const state = config.PAPER_DATA_DIR
    ? openStateFile(config.PAPER_DATA_DIR, ledger, clock.nowMs())
    : forgetful
  const exchange = createExchange(ledger, createQuotes(), state.keeper)
  const [journal, faults, stopping] = [createJournal(), createFaults(), new AbortController()]
  const venue = createBinanceFutures({ exchange, journal, faults, clock, log, stopping: stopping.signal })
  const controlled = { exchange, journal, faults, clock }
  const controllable = config.TRIPLINE_MODE === 'local' || config.PAPER_CONTROL === 'on'
  const own = (incoming: Incoming): Answer => {
    const { path } = incoming
    if (path === '/livez' || path === '/readyz') return OK
    if (path.startsWith('/internal/')) return serveInternal(controlled, config.INTERNAL_TOKEN, incoming)
    return controllable && path.startsWith('/control/') ? serveControl(controlled, incoming) : NOT_FOUND
  }
  const server = createHttp(clock, (incoming, reply: Reply) => {
    const path = venuePath(incoming.path)
    if (path === undefined) reply.send(own(incoming))
    else venue(path === incoming.path ? incoming : { ...incoming, path }, reply)
  })
  const port = await listen(server, config.HOST, config.PORT)
  log.info({ port, accounts: ledger.entries.size }, 'listening')
  return { port, stop: async () => await stop(server, stopping, state.close) }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

async function stop(server: Server, stopping: AbortController, close: () => void): Promise<void> {
  if (stopping.signal.aborted) return
  stopping.abort()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  close()
}
