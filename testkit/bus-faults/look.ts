import { messageCount } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { listExecutions } from '@tripline/proto/history-request'
import { paperControl } from '../paper-control.ts'
import type { Member } from '../people/crowd.ts'
import type { Bed } from './bed.ts'
import type { Order, Round, Row } from './judge.ts'

/** The state of a bed from outside: orders, history, positions, and the alerts in their stream. */
export type Seen = Pick<Round, 'orders' | 'rows' | 'positions'> & { left: number }

/** Looks at a bed as it was left by what came before; the journal of its exchange begins anew. */
export async function startLooking(
  bed: Bed,
  members: readonly Member[],
): Promise<{ ordersSoFar: () => Promise<number>; look: (ordersBeforeBlow: number) => Promise<Seen> }> {
  const paper = paperControl(bed.product.urls.paper)
  const before = await positionsOf(bed, members)
  await paper.clearJournal()
  const from = new Date().toISOString()
  return {
    ordersSoFar: async () => (await paper.journal()).length,
    look: async (ordersBeforeBlow) => ({
      orders: await ordersOf(bed, ordersBeforeBlow),
      rows: await rowsOf(bed, members, from),
      positions: changes(before, await positionsOf(bed, members)),
      left: await messageCount(bed.ops, 'ALERTS'),
    }),
  }
}

async function ordersOf({ product }: Bed, ordersBeforeBlow: number): Promise<Order[]> {
  const journal = await paperControl(product.urls.paper).journal()
  return journal.flatMap(({ op, outcome, clientOrderId, apiKey, side, quantity }, index) =>
    op === 'place' && outcome === 'accepted'
      ? [
          {
            clientOrderId: clientOrderId ?? '',
            apiKey: apiKey ?? '',
            side: side?.toLowerCase() ?? '',
            quantity: Number(quantity),
            isLate: index >= ordersBeforeBlow,
          },
        ]
      : [],
  )
}

async function rowsOf({ ops }: Bed, members: readonly Member[], from: string): Promise<Row[]> {
  const ofMember = async ({ userId, apiKeys: [apiKey = ''] }: Member): Promise<Row[]> => {
    const rows: Row[] = []
    for (let hasMore = true; hasMore; ) {
      const asked = { userId, offset: rows.length, limit: 100, withTotal: false, from }
      const page = await sendRequest(ops, listExecutions, asked)
      rows.push(...page.executions.map((row) => ({ ...row, apiKey })))
      hasMore = page.hasMore && page.executions.length > 0
    }
    return rows
  }
  return (await Promise.all(members.map(ofMember))).flat()
}

type Positions = Map<string, number>

async function positionsOf({ product }: Bed, members: readonly Member[]): Promise<Positions> {
  const keys = members.flatMap(({ apiKeys }) => apiKeys)
  const held = keys.map(async (key) => {
    const { positions } = await paperControl(product.urls.paper).account(key)
    const sum = positions.reduce((total, { side, quantity }) => total + signed(side, quantity), 0)
    return [key, sum] as const
  })
  return new Map(await Promise.all(held))
}

function signed(side: string, quantity: string): number {
  const size = Math.abs(Number(quantity))
  return /short|sell/i.test(side) || Number(quantity) < 0 ? -size : size
}

function changes(before: Positions, now: Positions): Positions {
  return new Map([...now].map(([key, position]) => [key, position - (before.get(key) ?? 0)]))
}
