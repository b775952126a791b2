import { alertToOrder } from './alert-to-order/alert-to-order.ts'
import { authTiming } from './auth-timing/auth-timing.ts'
import { eventStream } from './event-stream/event-stream.ts'
import { handOver } from './hand-over/hand-over.ts'
import { language } from './language/language.ts'
import { describeMachine } from './machine.ts'
import { manyBots } from './many-bots/many-bots.ts'
import { orderEntry } from './order-entry/order-entry.ts'
import { paperExchange } from './paper-exchange/paper-exchange.ts'
import { stoppable } from './stoppable.ts'
import { takeover } from './takeover/takeover.ts'
import { tracing } from './tracing/tracing.ts'

/** Every benchmark by its name; without a name in the arguments all of them run. */
const benchmarks = {
  language,
  'alert-to-order': alertToOrder,
  'many-bots': manyBots,
  'hand-over': handOver,
  takeover,
  'order-entry': orderEntry,
  'paper-exchange': paperExchange,
  'auth-timing': authTiming,
  'event-stream': eventStream,
  tracing,
}

const closers = stoppable()

try {
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}\n`)
  const pace = process.argv.includes('--quick') ? 'quick' : 'full'
  const named = Object.entries(benchmarks).filter(([name]) => process.argv.includes(name))
  for (const [name, run] of named.length > 0 ? named : Object.entries(benchmarks)) {
    console.log(`${name}\n`)
    console.log(await run(pace, closers))
  }
  await closers.close()
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
