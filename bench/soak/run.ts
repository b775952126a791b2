import { randomInt } from 'node:crypto'
import { readArguments } from '@tripline/scripts/arguments'
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

const { values: options } = readArguments({
  help: `npm run soak -- [--minutes N] [--seed N]
Half an hour of alerts and trouble, checked each minute. It changes nothing and leaves nothing.

  --minutes N  for so long (30)
  --seed N     the troubles of an earlier run`,
  values: Options,
})

await runCheck({
  announcement: `${options.minutes} minutes of trouble; --seed ${options.seed} makes the same troubles again`,
  run: async (closers) => await soak(options, closers),
  success: 'Everything held.',
})
