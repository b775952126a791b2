import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import { startPaperExchange } from './app.ts'
import { Config } from './config.ts'

const config = loadConfig(Config, process.env)
const exchange = await startPaperExchange(config)
stopOnSignal(exchange, createLog('paper-exchange', config.LOG_LEVEL), { graceMs: 5_000 })
