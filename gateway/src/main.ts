import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { followWallClock } from '@tripline/kit/time/clock'
import { startGateway } from './app.ts'
import { Config } from './config.ts'

followWallClock()
const config = loadConfig(Config, process.env)
const log = createLog('gateway', config.LOG_LEVEL)
stopOnSignal(await startGateway(config, { log }), log, { graceMs: 10_000 + config.END_NOTICE_MS })
