import { onStopRequest } from '@tripline/scripts/stop-request'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'

/** What a run is to close at its end; closed at once, and the process ended, where somebody stops it before. */
export function stoppable(): Closers {
  const closers = newClosers()
  onStopRequest(async (why) => {
    console.log(`\nStopping (${why})`)
    await closers.close()
    process.exit(1)
  })
  return closers
}
