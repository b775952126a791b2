import { connectBus } from '@tripline/kit/bus/bus'
import { loadConfig } from '@tripline/kit/config'
import { createLog } from '@tripline/kit/telemetry/log'
import { startExecutor } from '../../services/executor/src/app.ts'
import { Config } from '../../services/executor/src/config.ts'
import { openConnections, type VenueConnections } from '../../services/executor/src/venue/connections.ts'
import type { VenuePool } from '../../services/executor/src/venue/pool.ts'

// The real executor, which kills itself like `kill -9` the first time it comes to the moment of CRASH_AT; with CRASH_PLACE,
// only for the order at this place of its alert.
const moment = process.env['CRASH_AT']
const place = process.env['CRASH_PLACE'] ?? ''

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('a killed process goes on')
}

/** The order is decided and checked, and is about to be given to the exchange client. */
function dyingWhenChecked(pool: VenuePool): VenuePool {
  if (moment !== 'checked') return pool
  return {
    ...pool,
    client: (botId) => {
      const client = pool.client(botId)
      return client && { ...client, venue: { ...client.venue, place: async () => die() } }
    },
  }
}

const methods: Record<string, string> = { signed: 'POST', withdrawn: 'DELETE' }

/** The request is signed, and not a byte of it is on the wire: `signed` of an order, `withdrawn` of a cancel. */
function dyingWhenSigned(connections: VenueConnections): VenueConnections {
  const method = methods[moment ?? '']
  if (method === undefined) return connections
  const isOrder = /^\/binance(?:-futures\/fapi\/v1|\/api\/v3)\/(order|algoOrder)/
  const dispatcher = connections.dispatcher.compose((dispatch) => (options, handler) => {
    const request = `${options.path} ${String(options.body)}`
    if (options.method === method && isOrder.test(options.path) && request.includes(place)) die()
    return dispatch(options, handler)
  })
  return { ...connections, dispatcher }
}

const deletions = '$JS.API.STREAM.MSG.DELETE.'

const connectDying: typeof connectBus = async (options) => {
  const bus = await connectBus(options)
  const { publishStored: publish, request } = bus
  bus.publishStored = async (publication) => {
    const { payload: event } = publication
    if (moment === 'answered' && event.includes('"order.acknowledged"') && event.includes(place)) die()
    if (moment === 'waiting' && event.includes('"command.waiting"')) die()
    return await publish(publication)
  }
  bus.request = async (question) => {
    if (moment === 'stored' && question.subject.startsWith(deletions)) die()
    return await request(question)
  }
  return bus
}

const config = loadConfig(Config, process.env)
// The moment before the first byte is known of requests over HTTP.
if (moment !== undefined && moment in methods) config.ORDER_SOCKETS = 'off'
await startExecutor(config, createLog('crashing-executor', 'warn'), {
  onLeaseLost: () => process.exit(1),
  connect: connectDying,
  connections: dyingWhenSigned(openConnections()),
  decoratePool: dyingWhenChecked,
})
