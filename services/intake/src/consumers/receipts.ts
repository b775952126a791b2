import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { listReceipts } from '@tripline/proto/intake-request'
import { findPage, findProblems } from '../store/receipt-list.ts'
import type { Db } from '../store/tables.ts'

/** Serves the receipts of a user; returns an unsubscribe function. */
export function serveReceipts(bus: Bus, db: Db): () => void {
  return serve(bus, listReceipts, async (asked) => {
    const [found, problems] = await Promise.all([findPage(db, asked), findProblems(db, asked.userId)])
    return { receipts: found.slice(0, asked.limit), hasMore: found.length > asked.limit, problems }
  })
}
