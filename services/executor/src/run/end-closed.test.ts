import { describe, expect, test } from '@jest/globals'
import type { CommandResult } from '@tripline/proto/command-result'
import type { ExecutionId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { accountReading, btcusdt, btcusdtSpot, flat } from '../../test/btcusdt.ts'
import { filled, start } from '../../test/scripted-run.ts'
import type { AccountReading, Reading } from '../domain/account/account.ts'
import { type Current, withCurrent } from '../domain/execution/state.ts'
import type { ClosedOrders, Closes } from '../domain/group/closing.ts'
import type { Market } from '../domain/order/market.ts'
import type { Exit } from '../watching/watch-run.ts'
import { withEnded } from './end-closed.ts'

const executionId = 'before' as ExecutionId

/** An exit that is watched, and whether it was ended. */
interface Watched extends Exit {
  isEnded: () => boolean
}

function exit(change: Partial<Closes> = {}, more: Partial<Exit> = {}): Watched {
  let isEnded = false
  return {
    subject: { executionId, command: 1 },
    shownFrom: 0,
    closes: () => ({ side: 'long', positionSide: 'both', isHeld: true, isEnding: false, ...change }),
    closed: () => (isEnded ? closed() : undefined),
    endClosed: async () => {
      isEnded = true
      return true
    },
    ended: Promise.resolve(),
    isEnded: () => isEnded,
    ...more,
  }
}

function closed(change: Partial<ClosedOrders> = {}): ClosedOrders {
  const closes = { side: 'long', positionSide: 'both', isHeld: true, isEnding: false } as const
  return { at: 1000, closes, clientOrderIds: ['stop', 'limit'], ...change }
}

/** One that was ended as its position was found closed, and is not watched any more. */
const gone = (change: Partial<ClosedOrders> = {}): Watched =>
  exit({}, { closes: () => undefined, closed: () => closed(change) })

const named = [{ execution_id: 'before', command: 1, client_order_ids: ['stop', 'limit'] }]
const sold = (): Partial<Current> => {
  const found = filled({ side: 'sell', filled: '0.1' })
  return { orders: [{ ref: { symbol: 'BTCUSDT', clientOrderId: '', isConditional: false }, found }] }
}
const done: CommandResult = {
  command: 'market',
  status: 'success',
  result: { code: 'N802', note: '' },
  errorCode: null,
  error: null,
  executionTimeMs: 1,
}

/** Returns a command's result beside these exits, and how often it had the account read. */
async function settled(
  exits: readonly Exit[],
  { text = 'market(position=0)', market = btcusdt, known = {}, late = [], after, onRead }: Settling,
): Promise<{ result: CommandResult['result']; asked: number; looked: number }> {
  const counts = { asked: 0, looked: 0 }
  const { result } = await withEnded(withCurrent(start(text, { market }), known), done, {
    watches: {
      exits: async () => {
        counts.looked++
        return exits
      },
    },
    venue: {
      read: async (): Promise<Reading> => {
        counts.asked++
        onRead?.()
        const account = late.shift() ?? after
        if (account === undefined) throw new Error('no reading')
        return { outcome: 'read', account }
      },
    },
    identity: { executionId: 'now' as ExecutionId },
    log: testLog('end-closed'),
  })
  return { result, ...counts }
}

interface Settling {
  text?: string
  market?: Market
  /** Accounts of earlier readings. */
  late?: AccountReading[]
  known?: Partial<Current>
  after?: AccountReading
  onRead?: () => void
}

describe('a command that closes a position', () => {
  test('ends the exits of the position, and names them', async () => {
    const one = exit()
    const { result } = await settled([one], { known: sold(), after: accountReading(flat) })
    expect(result).toMatchObject({ ended: named })
    expect(one.isEnded()).toBe(true)
  })

  test('asks again where a reading shows the position of before', async () => {
    const one = exit()
    const before = accountReading()
    const known = { ...sold(), reading: before, startedAt: 1000 }
    const late = [accountReading({ position: '0.1000' })]
    expect(await settled([one], { known, late, after: accountReading(flat) })).toMatchObject({
      result: { ended: named },
      asked: 2,
    })
    expect(one.isEnded()).toBe(true)
  })

  test('takes the reading behind a sale on spot as it is', async () => {
    const known = { ...sold(), reading: accountReading(), startedAt: 1000 }
    const after = accountReading()
    expect(await settled([exit()], { known, after, market: btcusdtSpot })).toMatchObject({ asked: 1 })
  })

  test('names and awaits the orders that are being ended already', async () => {
    const one = exit({ isEnding: true })
    expect(await settled([one], { known: sold() })).toMatchObject({ result: { ended: named }, asked: 0 })
  })

  test('names also the orders that were ended while the account was read', async () => {
    let closes = exit().closes()
    const one = exit({}, { closes: () => closes })
    const onRead = (): void => {
      closes = undefined
    }
    const { result } = await settled([one], { known: sold(), after: accountReading(flat), onRead })
    expect(result).toMatchObject({ ended: named })
  })

  test('names the orders that were ended before its own order was known to be filled', async () => {
    const known = { ...sold(), startedAt: 1000 }
    expect(await settled([gone()], { known })).toMatchObject({ result: { ended: named }, asked: 0 })
  })

  test.each<[string, Partial<ClosedOrders>]>([
    ['was ended before it began', { at: 999 }],
    ['was for the other side', { closes: { ...closed().closes, side: 'short' } }],
    ['had no order that was open', { clientOrderIds: [] }],
  ])('names nothing that %s', async (_name, change) => {
    const known = { ...sold(), startedAt: 1000 }
    expect((await settled([gone(change)], { known })).result).toEqual(done.result)
  })

  test('asks for nothing where nothing is for it', async () => {
    expect(await settled([exit({ side: 'short' })], { known: sold() })).toMatchObject({ asked: 0 })
  })

  test('ends nothing where a part of it stays, or nobody knows', async () => {
    const one = exit()
    expect(await settled([one], { known: sold(), after: accountReading() })).toMatchObject({ asked: 1 })
    expect((await settled([one], { known: sold() })).result).toEqual(done.result)
    expect(one.isEnded()).toBe(false)
  })

  test('does not wait long for the exchange', async () => {
    const one = exit({}, { ended: new Promise(() => undefined) })
    const began = performance.now()
    const { result } = await settled([one], { known: sold(), after: accountReading(flat) })
    expect(result).toMatchObject({ ended: named })
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

describe('a command that finds a position closed', () => {
  const known = { reading: accountReading(flat), startedAt: 1000 }
  test('ends the exits of the position, and asks for nothing more', async () => {
    const one = exit()
    expect(await settled([one], { known })).toMatchObject({ result: { ended: named }, asked: 0 })
    expect(one.isEnded()).toBe(true)
  })

  test('names the orders that were ended since it began', async () => {
    expect((await settled([gone()], { known })).result).toMatchObject({ ended: named })
  })

  test('ends nothing that was decided on since, or for which no position was ever seen', async () => {
    const exits = [exit({}, { shownFrom: 1001 }), exit({ isHeld: false })]
    expect((await settled(exits, { known })).result).toEqual(done.result)
    expect(exits.map(({ isEnded }) => isEnded())).toEqual([false, false])
  })
})

test.each(['balance', 'market(buy, 0.1)'])(
  '%s that saw and traded nothing looks for no exits',
  async (text) => {
    expect(await settled([exit()], { text })).toMatchObject({ looked: 0 })
  },
)

test('a balance ends nothing', async () => {
  const one = exit()
  await settled([one], { text: 'balance', known: { reading: accountReading(flat), startedAt: 1000 } })
  expect(one.isEnded()).toBe(false)
})
