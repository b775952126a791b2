import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { followWallClock } from '@tripline/kit/time/clock'
import { startNotifier } from './app.ts'
import { Config } from './config.ts'

followWallClock()
const config = loadConfig(Config, process.env)
const log = createLog('notifier', config.LOG_LEVEL)
stopOnSignal(await startNotifier(config, { log }), log, { graceMs: 10_000 })
