import { readArguments } from '@tripline/scripts/arguments'
import { z } from 'zod'
import { describeMachine } from '../machine.ts'
import { stoppable } from '../stoppable.ts'
import { watchLoad } from './watch-load.ts'

const Options = z.object({ seconds: z.coerce.number().positive().default(30) })
const { values } = readArguments({
  help: `npm run dashboards -- [--seconds N]
Whether every query of every dashboard finds something in a Prometheus while alerts come. It changes nothing and leaves
nothing.

  --seconds N  lets alerts come for so long (30)`,
  values: Options,
})
const closers = stoppable()

try {
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}\n`)
  const { report, faults } = await watchLoad(values, closers)
  await closers.close()
  console.log(`\n${report}\n`)
  console.log(faults.length === 0 ? 'Every query finds something.' : faults.join('\n'))
  process.exit(faults.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
