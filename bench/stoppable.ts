import { onStopRequest } from '@tripline/scripts/stop-request'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'

/** Returns the closers of a run's end; they close at once, and the process ends, if somebody stops it before. */
export function stoppable(): Closers {
  const closers = newClosers()
  onStopRequest(async (why) => {
    console.log(`\nStopping (${why})`)
    await closers.close()
    process.exit(1)
  })
  return closers
}
