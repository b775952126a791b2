// npm run soak [-- --minutes N] [--seed N]: half an hour of alerts and trouble, checked each minute.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { describeMachine } from '../machine.ts'
import { stoppable } from '../stoppable.ts'
import { soak } from './soak.ts'

const Options = z.object({
  minutes: z.coerce.number().positive().default(30),
  seed: z.coerce
    .number()
    .int()
    .default(() => randomInt(1_000_000)),
})

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const closers = stoppable()

try {
  const options = Options.parse(values)
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}`)
  console.log(`${options.minutes} minutes of trouble; --seed ${options.seed} makes the same troubles again\n`)
  const { report, violations } = await soak(options, closers)
  await closers.close()
  console.log(`\n${report}\n`)
  console.log(violations.length === 0 ? 'Everything held.' : violations.join('\n'))
  process.exit(violations.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
