import { randomInt } from 'node:crypto'
import { readArguments } from '@tripline/scripts/arguments'
import { busKinds } from '@tripline/testkit/bus-faults/bed'
import { faults } from '@tripline/testkit/bus-faults/faults'
import { z } from 'zod'
import { runCheck } from '../run-check.ts'
import { strikeAll } from './strike-all.ts'

const Options = z.object({
  rounds: z.coerce.number().int().positive().default(50),
  from: z.coerce.number().int().positive().default(1),
  seed: z.coerce
    .number()
    .int()
    .default(() => randomInt(1_000_000)),
})
const names = Object.keys(faults)

const { values: options, words } = readArguments({
  help: `npm run bus-faults -- [--rounds N] [--from N] [--seed N] [NAME ...]
Strikes the bus of a running product under load: files that lose their end, bits that turn, streams that are deleted, members
that come back old, pauses, partitions, and the death of everything at once. After each blow the answers, the orders at the
exchange and the history are compared. It changes nothing and leaves nothing.

  --rounds N  each so often (50)
  --from N    begins at this round of the seed (1)
  --seed N    the blows of an earlier run
  NAME        these alone: ${[...busKinds, ...names].join(', ')}`,
  values: Options,
  words: [...busKinds, ...names],
})

await runCheck({
  announcement: `Each blow ${options.rounds} times from round ${options.from}; --seed ${options.seed} makes the same ones again`,
  run: async (closers) => await strikeAll({ ...options, words }, closers),
  success: 'Nothing doubled, nothing lost without a word.',
})
