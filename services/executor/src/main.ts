import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { followWallClock } from '@tripline/kit/time/clock'
import { startExecutor } from './app.ts'
import { Config } from './config.ts'

followWallClock()
const config = loadConfig(Config, process.env)
const log = createLog('executor', config.LOG_LEVEL)
// Another executor owns what this one thought its own: any further step could place an order twice.
const executor = await startExecutor(config, log, { onLeaseLost: () => process.exit(1) })
stopOnSignal(executor, log, { graceMs: 10_000 })
