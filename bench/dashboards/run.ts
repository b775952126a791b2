// npm run dashboards [-- --seconds N]: whether every query of every dashboard finds something while alerts come.
import { parseArgs } from 'node:util'
import { closers as newClosers } from '@tripline/scripts/closers'
import { onStopRequest } from '@tripline/scripts/stop-request'
import { z } from 'zod'
import { describeMachine } from '../machine.ts'
import { watchLoad } from './watch-load.ts'

const Options = z.object({ seconds: z.coerce.number().positive().default(30) })
const { values } = parseArgs({ options: { seconds: { type: 'string' } } })
const closers = newClosers()

onStopRequest(async (why) => {
  console.log(`\nStopping (${why})`)
  await closers.close()
  process.exit(1)
})

try {
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}\n`)
  const { report, faults } = await watchLoad(Options.parse(values), closers)
  await closers.close()
  console.log(`\n${report}\n`)
  console.log(faults.length === 0 ? 'Every query finds something.' : faults.join('\n'))
  process.exit(faults.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
