import { randomBytes } from 'node:crypto'
import { openRedis } from '@tripline/kit/redis'
import { givenUrl } from './given-url.ts'
import { testLog } from './log.ts'

/** A Redis, and a key prefix that nobody else uses; stopping removes what lies under it. */
export async function redis(): Promise<{ url: string; prefix: string; stop(): Promise<void> }> {
  const url = givenUrl('REDIS_URL')
  const prefix = `test-${randomBytes(6).toString('hex')}:`
  return { url, prefix, stop: () => removeKeys(url, prefix) }
}

async function removeKeys(url: string, prefix: string): Promise<void> {
  const connection = openRedis(url, '', testLog('redis'), { patienceMs: 10_000 })
  await new Promise<void>((resolve, reject) => connection.once('ready', resolve).once('end', reject))
  let cursor = '0'
  do {
    const [next, keys] = await connection.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 500)
    if (keys.length > 0) await connection.del(...keys)
    cursor = next
  } while (cursor !== '0')
  connection.disconnect()
}
