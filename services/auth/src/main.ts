import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { followWallClock } from '@tripline/kit/time/clock'
import { startAuth } from './app.ts'
import { Config } from './config.ts'
import { rewrapSecrets } from './rewrap.ts'

followWallClock()
const config = loadConfig(Config, process.env)
const log = createLog('auth', config.LOG_LEVEL)
if (process.argv[2] === 'rewrap') await rewrapSecrets(config, log)
else {
  const auth = await startAuth(config, { log })
  log.info({ port: auth.port }, 'ready')
  stopOnSignal(auth, log, { graceMs: 10_000 })
}
