import { Readable } from 'node:stream'
import { acquireUntilClosed, createKeyedLimit } from '@tripline/kit/http/keyed-limit'
import type { Execution } from '@tripline/proto/history-request'
import { ExecutionView, ExportQuery } from '@tripline/proto/http/execution'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { csvHead, csvLines } from '../domain/execution-csv.ts'
import { executionView } from '../domain/execution-view.ts'
import { findAll } from '../execution-pages.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

// Each reads all of a user's history, so one user does not run many of them.
const exportsPerUser = 2

type Pages = AsyncGenerator<Execution[], void>

const forms = {
  csv: { type: 'text/csv; charset=utf-8', write: csvOf },
  json: { type: 'application/json; charset=utf-8', write: jsonOf },
}

/** The history of executions as a file, written while it is read. */
export function executionExportRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const exportLimit = createKeyedLimit(exportsPerUser, 'exports')
  const schema = {
    tags: ['history'],
    operationId: 'exportExecutions',
    summary: 'All executions that the filters choose, as a file; CSV has a line for each command',
    security: bearer,
    querystring: ExportQuery,
    response: { ...sessionRefusals, 200: fileSchema() },
  }
  api.get('/api/webhook-executions/export', { onRequest: guard, schema }, async (request, reply) => {
    const { format, sort, ...filter } = request.query
    const userId = sessionOf(request).sub
    acquireUntilClosed(exportLimit, userId, reply.raw)
    const pages = findAll(ask, userId, filter, sort || 'newest')
    // Read before the answer begins, so that a history that is away gets its own status.
    const first = await pages.next()
    const { type, write } = forms[format]
    return reply
      .type(type)
      .header('content-disposition', `attachment; filename="executions.${format}"`)
      .send(Readable.from(write(first.value ?? [], pages)) as never)
  })
}

function fileSchema() {
  const csv = z
    .string()
    .describe(
      'a head and a line for each command; the last column shows whether the alert came at a close-only address',
    )
  return {
    description: 'The file',
    content: { 'text/csv': { schema: csv }, 'application/json': { schema: z.array(ExecutionView) } },
  }
}

async function* csvOf(first: Execution[], others: Pages): AsyncGenerator<string> {
  yield csvHead
  yield linesOf(first)
  for await (const page of others) yield linesOf(page)
}

function linesOf(page: readonly Execution[]): string {
  return page.map((execution) => csvLines(executionView(execution))).join('')
}

async function* jsonOf(first: Execution[], others: Pages): AsyncGenerator<string> {
  yield `[${itemsOf(first)}`
  for await (const page of others) if (page.length > 0) yield `,\n${itemsOf(page)}`
  yield ']\n'
}

function itemsOf(page: readonly Execution[]): string {
  return page.map((execution) => JSON.stringify(executionView(execution))).join(',\n')
}
