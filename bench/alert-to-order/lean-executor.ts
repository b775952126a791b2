// The other half of the limit: reads the stream, as the executor does, and places the order of each alert.
import { publish } from '@tripline/kit/bus/bus'
import { readStream } from '@tripline/kit/bus/stream-reader'
import { connectLeanBus, type LeanAlert, leanAlerts, leanResult, leanStream } from './lean-bus.ts'
import { placeLeanly } from './lean-order.ts'

process.once('disconnect', () => process.exit())
const bus = await connectLeanBus(process.env['LEAN_BUS_URL'] ?? '')

async function place({ id, message, receivedAt }: LeanAlert): Promise<void> {
  publish(bus, leanResult(id), JSON.stringify(await placeLeanly(message, receivedAt)))
}

await readStream(bus, {
  stream: leanStream,
  filter: leanAlerts,
  start: { from: 'new' },
  onMessage: ({ text }) => void place(JSON.parse(text)),
})
process.send?.('reads')
