// npm run soak [-- --minutes N] [--seed N]: half an hour of alerts and trouble, checked each minute.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { runCheck } from '../run-check.ts'
import { soak } from './soak.ts'

const Options = z.object({
  minutes: z.coerce.number().positive().default(30),
  seed: z.coerce
    .number()
    .int()
    .default(() => randomInt(1_000_000)),
})

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const options = Options.parse(values)

await runCheck({
  announcement: `${options.minutes} minutes of trouble; --seed ${options.seed} makes the same troubles again`,
  run: async (closers) => await soak(options, closers),
  held: 'Everything held.',
})
