import path from 'node:path'
import { rootDir } from './paths.ts'

/**
 * Files that take longer than their size suggests, the longest of a project first. One that begins last keeps a worker
 * busy for minutes while the others have nothing to do. Jest learns how long files take from runs before, which a fresh
 * machine has not had.
 */
export const longest = [
  'services/executor/test/matrix.test.ts',
  'services/executor/test/taking-back.test.ts',
  'services/executor/test/venue-probe.test.ts',
  'services/executor/test/leases.test.ts',
  'services/executor/test/late-readings.test.ts',
  'services/executor/test/takeover-left.test.ts',
  'services/intake/test/outages.test.ts',
  'services/executor/test/failure-rows.test.ts',
  'services/executor/test/exits-pass.test.ts',
  'services/executor/test/takeover.test.ts',
  'services/paper-exchange/test/binance-futures/fuzz.test.ts',
  'services/executor/test/closed-position.test.ts',
  'testkit/test/kit/better-servers.test.ts',
  'services/executor/test/venues/bybit-account-view.test.ts',
  'services/executor/test/forgetful-bus.test.ts',
  'scripts/test/start.test.ts',
  'services/paper-exchange/test/core-property.test.ts',
  'scripts/test/rebuild.test.ts',
  'services/executor/test/matrix-positions.test.ts',
  'testkit/test/own-servers.test.ts',
  'testkit/test/alert-rules.test.ts',
  'scripts/test/examples.test.ts',
  'scripts/test/bus-back-up.test.ts',
  'services/executor/test/lost-group-answers.test.ts',
  'services/executor/test/alternating-pairs.test.ts',
  'services/executor/test/wait.test.ts',
  'services/executor/test/overtaken.test.ts',
  'services/executor/test/unknown.test.ts',
  'e2e/web-accessibility.test.ts',
  'e2e/specification/08-errors.test.ts',
  'e2e/web-shell.test.ts',
  'e2e/specification/02-execution-history.test.ts',
  'e2e/specification/02-webhook-and-notifications.test.ts',
  'e2e/specification/02-accounts.test.ts',
  'e2e/specification/02-terminal.test.ts',
  'e2e/web-accessibility-trading.test.ts',
  'e2e/specification/02-api-keys.test.ts',
  'e2e/specification/02-landing.test.ts',
  'e2e/new-version.test.ts',
  'e2e/faults/backlog.test.ts',
  'e2e/faults/bus-faults.test.ts',
  'e2e/faults/bus-cluster.test.ts',
  'e2e/faults/kill-executor.test.ts',
  'e2e/faults/rolling-restart.test.ts',
  'e2e/faults/kill-in-between.test.ts',
  'e2e/faults/paused-executor.test.ts',
].map((file) => path.join(rootDir, file))

/** A test file as Jest knows it. */
interface TestFile {
  path: string
  context: { hasteFS: { getSize(file: string): number | null } }
}

/** The order in which test files begin: those that are known to take long, then the others by their size. */
export default class LongestFirst {
  sort<File extends TestFile>(files: readonly File[]): File[] {
    return files.toSorted((one, other) => rankOf(one) - rankOf(other) || sizeOf(other) - sizeOf(one))
  }

  /** Called by Jest with how long each file took. */
  cacheResults(): void {}
}

function rankOf({ path: file }: TestFile): number {
  const place = longest.indexOf(file)
  return place === -1 ? longest.length : place
}

function sizeOf({ path: file, context }: TestFile): number {
  return context.hasteFS.getSize(file) ?? 0
}
