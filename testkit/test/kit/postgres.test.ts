import { expect, test } from '@jest/globals'
import { openDatabase } from '@tripline/kit/postgres'
import { link } from '@tripline/testkit/link'
import { testLog } from '@tripline/testkit/log'
import { postgres } from '@tripline/testkit/postgres'
import { sql } from 'kysely'

test('a query whose answer is lost fails, and the next one has a connection that is well', async () => {
  const database = await postgres()
  const way = await link(database.url)
  const db = openDatabase(way.url, 'public', testLog('test'), { silenceMs: 300 })
  const ask = async (): Promise<unknown[]> => (await sql`select 1 as one`.execute(db)).rows
  try {
    expect(await ask()).toEqual([{ one: 1 }])
    way.mute()
    await expect(ask()).rejects.toThrow('silent')
    expect(await ask()).toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
    await way.stop()
    await database.stop()
  }
})
