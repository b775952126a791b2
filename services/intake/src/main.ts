import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { followWallClock } from '@tripline/kit/time/clock'
import { startIntake } from './app.ts'
import { Config } from './config.ts'

followWallClock()
const config = loadConfig(Config, process.env)
const log = createLog('intake', config.LOG_LEVEL)
const intake = await startIntake(config, { log })
log.info({ port: intake.port }, 'intake is up')
stopOnSignal(intake, log, { graceMs: 8000 + config.END_NOTICE_MS })
