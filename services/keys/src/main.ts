import { loadConfig } from '@tripline/kit/config'
import { stopOnSignal } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/log'
import { startKeys } from './app.ts'
import { Config } from './config.ts'

const config = loadConfig(Config, process.env)
const log = createLog('keys', config.LOG_LEVEL)
const keys = await startKeys(config, { log })
log.info({ port: keys.port }, 'ready')
stopOnSignal(keys, log, { graceMs: 10_000 })
