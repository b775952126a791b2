import { createLog, type Log } from '@tripline/kit/telemetry/log'

/** A log for tests: silent, or as talkative as TEST_LOG says (`info`, `debug`). */
export function testLog(name: string): Log {
  return createLog(name, process.env['TEST_LOG'] ?? 'silent')
}
