import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readArguments } from '@tripline/scripts/arguments'
import { z } from 'zod'
import { runCheck } from '../run-check.ts'
import { faultReport, troubleTable } from './report.ts'
import { soak } from './soak.ts'

const Options = z.object({
  minutes: z.coerce.number().positive().default(30),
  seed: z.coerce
    .number()
    .int()
    .default(() => randomInt(1_000_000)),
  report: z.string().optional(),
})

const { values: options } = readArguments({
  help: `npm run soak -- [--minutes N] [--seed N] [--report FILE]
Half an hour of alerts and trouble, checked each minute. It changes nothing and leaves nothing.

  --minutes N    for so long (30)
  --seed N       the troubles of an earlier run
  --report FILE  writes the report there: docs/fault-report.md is that of a release`,
  values: Options,
})

await runCheck({
  announcement: `${options.minutes} minutes of trouble; --seed ${options.seed} makes the same troubles again`,
  run: async (closers) => {
    const figures = await soak(options, closers)
    const made = figures.outcomes.flatMap(({ troubles }) => troubles)
    const answered = figures.outcomes.flatMap((outcome) => outcome.answered)
    const date = new Date().toISOString().slice(0, 10)
    if (options.report !== undefined) writeFileSync(options.report, faultReport(figures, date))
    return {
      report: `${troubleTable(made, answered)}\n\n${figures.trends}`,
      violations: figures.violations,
    }
  },
  success: 'Everything held.',
})
