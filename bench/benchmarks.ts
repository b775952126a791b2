import { readArguments } from '@tripline/scripts/arguments'
import { alertCost } from './alert-cost/alert-cost.ts'
import { alertToOrder } from './alert-to-order/alert-to-order.ts'
import { authTiming } from './auth-timing/auth-timing.ts'
import { eventStream } from './event-stream/event-stream.ts'
import { handOver } from './hand-over/hand-over.ts'
import { language } from './language/language.ts'
import { describeMachine } from './machine.ts'
import { manyBots, mostBots } from './many-bots/many-bots.ts'
import { orderEntry } from './order-entry/order-entry.ts'
import { overload } from './overload/overload.ts'
import { paperExchange } from './paper-exchange/paper-exchange.ts'
import { stoppable } from './stoppable.ts'
import { takeover } from './takeover/takeover.ts'
import { tracing } from './tracing/tracing.ts'

/** Every benchmark by its name, with what it measures; without a name in the arguments all of them run. */
const benchmarks = {
  language: { run: language, measures: 'how fast the language reads, and how large it is in the browser' },
  'alert-to-order': { run: alertToOrder, measures: 'the way from an alert to its order, beside a lean peer' },
  'alert-cost': { run: alertCost, measures: 'what one alert costs each process' },
  overload: { run: overload, measures: 'what is executed, refused and late beyond what can be done' },
  'many-bots': { run: manyBots, measures: 'one executor with very many bots' },
  'most-bots': {
    run: mostBots,
    measures: 'one executor with 10,000 bots: memory, and the time until all are warm',
  },
  'hand-over': { run: handOver, measures: "how long a drained executor's partitions are nobody's" },
  takeover: { run: takeover, measures: 'how long nothing trades when the only executor is killed' },
  'order-entry': { run: orderEntry, measures: 'orders over a socket, beside those over HTTP' },
  'paper-exchange': { run: paperExchange, measures: 'how fast the paper exchange answers' },
  'auth-timing': { run: authTiming, measures: 'whether a time reveals if an email has an account' },
  'event-stream': { run: eventStream, measures: 'how late an event comes at 2,000 streams' },
  tracing: { run: tracing, measures: 'what tracing costs an alert' },
}

const lines = Object.entries(benchmarks).map(([name, { measures }]) => `  ${name.padEnd(16)}${measures}`)
const { has, words } = readArguments({
  help: `npm run bench -- [NAME ...] [--quick]
Runs the benchmarks that are named, or all of them, which takes half an hour. It changes nothing and leaves nothing.

${lines.join('\n')}

  --quick         in short, to see whether something broke

npm run bench -- compare COMMIT [NAME ...] runs them at a commit as well, in turns.`,
  flags: ['quick'],
  words: Object.keys(benchmarks),
})
const closers = stoppable()

try {
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}\n`)
  const pace = has('quick') ? 'quick' : 'full'
  const wanted = Object.entries(benchmarks).filter(([name]) => words.length === 0 || words.includes(name))
  for (const [name, { run }] of wanted) {
    console.log(`${name}\n`)
    console.log(await run(pace, closers))
  }
  await closers.close()
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
