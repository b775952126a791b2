import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bus } from '@tripline/kit/bus/bus'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { openDatabase } from '@tripline/kit/postgres'
import { openRedis, type Redis } from '@tripline/kit/redis'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'

/** A text that was stored or sent, and its location. */
export interface Trace {
  location: string
  text: string
}

/** The places where a mark lies, in clear or in a form that everybody can read back; the mark is of ASCII. */
export function locationsOf(traces: readonly Trace[], mark: string): string[] {
  const forms = formsOf(mark)
  const found = traces.filter(({ text }) => forms.some((form) => text.includes(form)))
  return [...new Set(found.map(({ location }) => location))].toSorted()
}

function formsOf(mark: string): string[] {
  const hex = Buffer.from(mark).toString('hex')
  return [mark, hex, hex.toUpperCase(), encodeURIComponent(mark), ...base64Forms(mark)]
}

/** A text looks different in base64 at each of the three places where it may begin. */
function base64Forms(mark: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(mark)])
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
    // The first four characters hold what was before, too.
    const core = before === 0 ? whole : whole.slice(4)
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Every line that a process of the product has logged. */
export async function logTraces(dataDir: string): Promise<Trace[]> {
  const folder = path.join(dataDir, 'logs')
  return await Promise.all(
    (await readdir(folder)).map(async (file) => ({
      location: `log ${path.basename(file, '.log')}`,
      text: await readFile(path.join(folder, file), 'utf8'),
    })),
  )
}

/** Everything that lies in the streams and buckets of the bus. */
export async function streamTraces(ops: Bus): Promise<Trace[]> {
  const traces: Trace[] = []
  for await (const name of ops.manager.streams.names()) {
    const start = { from: 'sequence', sequence: 1 } as const
    const messages = await readStored(ops, { stream: name, filter: '>', start })
    const texts = messages.map(({ subject, text }) => `${subject} ${text}`)
    traces.push({ location: `stream ${name}`, text: texts.join('\n') })
  }
  return traces
}

/** Every row of every table. */
export async function tableTraces(databaseUrl: string): Promise<Trace[]> {
  const db = openDatabase<Record<string, Record<string, unknown>>>(databaseUrl, 'public', testLog('test'))
  try {
    const tables = await db.introspection.getTables()
    const named = tables.map(({ schema = '', name }) => ({ schema, name }))
    return await Promise.all(
      named.map(async ({ schema, name }) => {
        const rows = await db.withSchema(schema).selectFrom(name).selectAll().execute()
        return { location: `table ${schema}.${name}`, text: rows.map(rowText).join('\n') }
      }),
    )
  } finally {
    await db.destroy()
  }
}

function rowText(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : JSON.stringify(value)))
    .join('\n')
}

/** Every key of Redis under the prefix, with what it holds. */
export async function redisTraces(url: string, prefix: string): Promise<Trace[]> {
  const redis = openRedis(url, '', testLog('redis'))
  try {
    // On a machine that stalls a command may be too late.
    const text = await waitFor(async () => (await keysUnder(redis, prefix)).join('\n'))
    return [{ location: 'redis', text }]
  } finally {
    redis.disconnect()
  }
}

async function keysUnder(redis: Redis, prefix: string): Promise<string[]> {
  const texts: string[] = []
  for (const key of await redis.keys(`${prefix}*`)) {
    texts.push(`${key} ${JSON.stringify(await readKey(redis, key))}`)
  }
  return texts
}

/** Returns the value of a key, of the types that the product uses. */
async function readKey(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key)
  switch (type) {
    case 'string':
      return await redis.get(key)
    case 'list':
      return await redis.lrange(key, 0, -1)
    case 'zset':
      return await redis.zrange(key, '0', '-1')
    case 'hash':
      return await redis.hgetall(key)
    // It has expired in between.
    case 'none':
      return null
    default:
      throw new Error(`${key} is a ${type}, which is not read here`)
  }
}
