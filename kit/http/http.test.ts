import { expect, test } from '@jest/globals'
import { RefusedError, type refusalStatus } from '../refused-error.ts'
import { createLog } from '../telemetry/log.ts'
import { buildHttp } from './http.ts'

/** Returns the status of a call that is refused so, and what the log has of it. */
async function refused(code: Parameters<typeof refusalStatus>[0], cause?: Error): Promise<[number, string]> {
  const lines: string[] = []
  const log = createLog('door', 'warn', { write: (line) => void lines.push(line) })
  const http = buildHttp({ log, bodyLimitBytes: 1024, isReady: () => true })
  http.get('/asked', () => {
    throw new RefusedError(code, 'Please try again', { cause })
  })
  const { statusCode } = await http.inject('/asked')
  await http.close()
  return [statusCode, lines.join('')]
}

test('a call that is refused for a fault of ours leaves its reason in the log', async () => {
  const [status, logged] = await refused('unavailable', new Error('no answer in 3000 ms'))
  expect(status).toBe(503)
  expect(logged).toContain('no answer in 3000 ms')
})

test('a call that its caller has to mend leaves nothing there', async () => {
  expect(await refused('unauthorized', new Error('expired'))).toEqual([401, ''])
})
