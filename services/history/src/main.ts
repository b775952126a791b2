import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { followWallClock } from '@tripline/kit/time/clock'
import { startHistory } from './app.ts'
import { Config } from './config.ts'
import { rebuildHistory } from './rebuild.ts'

followWallClock()
const config = loadConfig(Config, process.env)
const log = createLog('history', config.LOG_LEVEL)
if (process.argv[2] === 'rebuild') await rebuildHistory(config, log, process.argv[3] === '--force')
else stopOnSignal(await startHistory(config, { log }), log, { graceMs: 10_000 })
