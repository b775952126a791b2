import type { Closers } from '@tripline/testkit/closers'
import { describeMachine } from './machine.ts'
import { stoppable } from './stoppable.ts'

/** Something long that a command does, and what has to hold at its end. */
interface Check {
  /** The text before the run. */
  announcement: string
  run: (closers: Closers) => Promise<{ report: string; violations: readonly string[] }>
  /** The text after a run without violations. */
  success: string
}

/** Runs a check as a command, prints its findings, and ends the process: with 1 if something did not hold. */
export async function runCheck({ announcement, run, success }: Check): Promise<never> {
  const closers = stoppable()
  try {
    console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}`)
    console.log(`${announcement}\n`)
    const { report, violations } = await run(closers)
    await closers.close()
    console.log(`\n${report}\n`)
    console.log(violations.length === 0 ? success : violations.join('\n'))
    process.exit(violations.length === 0 ? 0 : 1)
  } catch (error) {
    console.error(error)
    await closers.close()
    process.exit(1)
  }
}
