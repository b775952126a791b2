import { openRedis } from '@tripline/kit/redis'
import { AlertId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { askPatiently } from '../src/store/patient-redis.ts'
import { openUnanswered, sentAtOnce } from '../src/store/unanswered.ts'

// A process that writes an attempt and is killed in the same turn of its event loop.
const [url = '', prefix = '', body = '', alertId = ''] = process.argv.slice(2)
const redis = askPatiently(openRedis(url, prefix, testLog('killed'), { sentAtOnce }), testLog('killed'))
await redis.connected(10_000)
void openUnanswered(redis).put(body, { alertId: AlertId.parse(alertId), openAt: 1 })
process.kill(process.pid, 'SIGKILL')
