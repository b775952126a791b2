// npm run restore-drill [-- --seconds N] [--users N] [--seed N]: backs up under load, loses everything, restores it.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { describeMachine } from '../machine.ts'
import { stoppable } from '../stoppable.ts'
import { drill } from './drill.ts'

const Options = z.object({
  seconds: z.coerce.number().positive().default(15),
  users: z.coerce.number().int().positive().default(12),
  seed: z.coerce
    .number()
    .int()
    .default(() => randomInt(1_000_000)),
})

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, users: { type: 'string' }, seed: { type: 'string' } },
})
const closers = stoppable()

try {
  const options = Options.parse(values)
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}`)
  console.log(`${options.users} users; --seed ${options.seed} sends the same alerts again\n`)
  const { report, violations } = await drill(options, closers)
  await closers.close()
  console.log(`\n${report}\n`)
  console.log(violations.length === 0 ? 'History is equal to the journal.' : violations.join('\n'))
  process.exit(violations.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
