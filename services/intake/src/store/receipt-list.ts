import { cutText } from '@tripline/proto/cut-text'
import type { listReceipts, Receipt } from '@tripline/proto/intake-request'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from './tables.ts'

type Asked = z.output<typeof listReceipts.asked>
type Answered = z.input<typeof listReceipts.answered>

const messageBytes = 1024
const mostProblems = 20

/** Returns a page of a user's receipts, one more than asked for where there are others. */
export async function findPage(db: Db, { userId, state, before, after, limit }: Asked): Promise<Receipt[]> {
  const rows = await db
    .selectFrom('receipt')
    .select(['number', 'alert_id as alertId', 'received_at as receivedAt', 'message_hash as messageHash'])
    .select(['previous_hash as previousHash', 'hash', 'state', 'state_at as stateAt'])
    .select(sql<string | null>`case when state = 'lost' then message end`.as('message'))
    .where('user_id', '=', userId)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'open'))
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .$if(after !== undefined, (query) => query.where('number', '>', after ?? 0))
    .orderBy('number', after === undefined ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute()
  return rows.map((row) => ({
    ...row,
    message: row.message === null ? null : cutText(row.message, messageBytes),
  }))
}

/** Returns the newest problems with a user's alerts. */
export async function findProblems(db: Db, userId: Asked['userId']): Promise<Answered['problems']> {
  return await db
    .selectFrom('receipt_problem')
    .select(['kind', 'alert_id as alertId', 'found_at as foundAt', 'text'])
    .where('user_id', '=', userId)
    .orderBy('found_at', 'desc')
    .limit(mostProblems)
    .execute()
}
