import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { followWallClock } from '@tripline/kit/time/clock'
import { startKeys } from './app.ts'
import { Config } from './config.ts'
import { rewrapTokens } from './rewrap.ts'

followWallClock()
const config = loadConfig(Config, process.env)
const log = createLog('keys', config.LOG_LEVEL)
if (process.argv[2] === 'rewrap') await rewrapTokens(config, log)
else {
  const keys = await startKeys(config, { log })
  log.info({ port: keys.port }, 'ready')
  stopOnSignal(keys, log, { graceMs: 10_000 })
}
