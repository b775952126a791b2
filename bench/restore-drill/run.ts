import { randomInt } from 'node:crypto'
import { readArguments } from '@tripline/scripts/arguments'
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

const { values: options } = readArguments({
  help: `npm run restore-drill -- [--seconds N] [--users N] [--seed N]
Backs up under load, loses everything, restores it and compares: about two minutes. It changes nothing and leaves nothing.

  --seconds N  under load for so long (15)
  --users N    so many who trade (12)
  --seed N     the alerts of an earlier run`,
  values: Options,
})

await runCheck({
  announcement: `${options.users} users; --seed ${options.seed} sends the same alerts again`,
  run: async (closers) => await drill(options, closers),
  success: 'History is equal to the journal.',
})
