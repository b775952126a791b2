import { Readable } from 'node:stream'
import { acquireUntilClosed, createKeyedLimit } from '@tripline/kit/http/keyed-limit'
import { mostExported, ReceiptExportQuery, ReceiptPage, ReceiptQuery } from '@tripline/proto/http/receipt'
import type { UserId } from '@tripline/proto/id'
import { listReceipts, mostReceipts, type Receipt } from '@tripline/proto/intake-request'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { receiptView } from '../domain/receipt-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const tags = ['receipts']

// Each reads all of a user's receipts, so one user does not run many of them.
const exportsPerUser = 2

/** The receipts of accepted alerts. */
export function receiptRoutes(api: Api, ask: Ask, access: Access): void {
  listRoute(api, ask, access)
  exportRoute(api, ask, access)
}

function listRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const schema = {
    tags,
    operationId: 'listReceipts',
    summary: 'Receipts of accepted alerts, newest first, and what does not match them',
    security: bearer,
    querystring: ReceiptQuery,
    response: { ...sessionRefusals, 200: ReceiptPage },
  }
  api.get('/api/receipts', { onRequest: guard, schema }, async (request) => {
    const { limit, before, state } = request.query
    const userId = sessionOf(request).sub
    const { receipts, hasMore, problems } = await ask(listReceipts, {
      userId,
      limit,
      before,
      state: state || undefined,
    })
    return {
      receipts: receipts.map((receipt) => receiptView(userId, receipt)),
      has_more: hasMore,
      next_before: hasMore ? (receipts.at(-1)?.number ?? null) : null,
      problems: problems.map(({ alertId, foundAt, ...problem }) => ({
        ...problem,
        alert_id: alertId,
        found_at: foundAt,
      })),
    }
  })
}

function exportRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const exportLimit = createKeyedLimit(exportsPerUser, 'exports')
  const lines = z.string().describe('a receipt in each line, as JSON')
  const schema = {
    tags,
    operationId: 'exportReceipts',
    summary: 'Receipts from the lowest number on, as lines of JSON, by which their chain is checked',
    security: bearer,
    querystring: ReceiptExportQuery,
    response: {
      ...sessionRefusals,
      200: { description: 'The file', content: { 'application/jsonl': { schema: lines } } },
    },
  }
  api.get('/api/receipts/export', { onRequest: guard, schema }, async (request, reply) => {
    const userId = sessionOf(request).sub
    acquireUntilClosed(exportLimit, userId, reply.raw)
    const pages = findPages(ask, userId, request.query.after)
    // Read before the answer begins, so that a service that is away gets its own status.
    const first = await pages.next()
    return reply
      .type('application/jsonl; charset=utf-8')
      .header('content-disposition', 'attachment; filename="receipts.jsonl"')
      .send(Readable.from(linesOf(userId, first.value ?? [], pages)) as never)
  })
}

type Pages = AsyncGenerator<Receipt[], void>

async function* findPages(ask: Ask, userId: UserId, from: number): Pages {
  let after = from
  for (let count = 0; count < mostExported; count += mostReceipts) {
    const { receipts, hasMore } = await ask(listReceipts, { userId, after, limit: mostReceipts })
    yield receipts
    if (!hasMore) return
    after = receipts.at(-1)?.number ?? after
  }
}

async function* linesOf(userId: UserId, first: Receipt[], others: Pages): AsyncGenerator<string> {
  yield textOf(userId, first)
  for await (const page of others) if (page.length > 0) yield textOf(userId, page)
}

function textOf(userId: UserId, page: readonly Receipt[]): string {
  return page.map((receipt) => `${JSON.stringify(receiptView(userId, receipt))}\n`).join('')
}
