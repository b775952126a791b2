// npm run restore-drill [-- --seconds N] [--users N] [--seed N]: backs up under load, loses everything, restores it.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { runCheck } from '../run-check.ts'
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
const options = Options.parse(values)

await runCheck({
  announcement: `${options.users} users; --seed ${options.seed} sends the same alerts again`,
  run: async (closers) => await drill(options, closers),
  held: 'History is equal to the journal.',
})
