import { describe, expect, test } from '@jest/globals'
import type { Command } from '@tripline/proto/alert-tree'
import { plain } from '@tripline/proto/decimal'
import fc from 'fast-check'
import { anyCommand, hedged, onlyShrinks, places, readable, spot } from '../../../test/any-commands.ts'
import { accountReading, btcusdt, commandsOf, flat, spotHoldings } from '../../../test/btcusdt.ts'
import { active, begun, filled, results, run, runIn } from '../../../test/scripted-run.ts'
import type { Market } from '../order/market.ts'
import type { OrderPlan, VenueOrder } from '../order/order.ts'
import type { AccountReading } from './account.ts'
import { closeOnlyFinding, closeOnlyLimits, reducing } from './close-only.ts'
import type { BotLimits } from './permit.ts'

interface Sent {
  orders: OrderPlan[]
  /** Acts other than placing and asking. */
  others: string[]
}

/** Returns all that an alert of a close-only address sends on this account; undefined where it is refused. */
function sent(
  commands: readonly Command[],
  market: Market,
  account: AccountReading,
  limits: BotLimits = active,
): Sent | undefined {
  if (commands.some((command) => closeOnlyFinding(command, market) !== undefined)) return undefined
  const reduced = commands.map((command) => reducing(command, market))
  const execution = begun(reduced, market, { isCloseOnly: true })
  const { orders, steps } = runIn(account, execution, closeOnlyLimits(limits))
  const others = steps.flatMap((step) => step.split(' ')[1] ?? []).filter((step) => !harmless.has(step))
  const pairs = steps.filter((step) => step.includes('place both') && step.includes(' buy '))
  return { orders, others: [...others, ...pairs] }
}

const harmless = new Set([
  'place',
  'read',
  'record',
  'settle',
  'list',
  'endWatches',
  'recall',
  'lookUp',
  'ownExits',
])

describe('an alert of a close-only address', () => {
  test.each(places)(
    'sends nothing that could open or add where the account holds %s',
    (_name, market, account) => {
      let orders = 0
      fc.assert(
        fc.property(fc.array(anyCommand, { minLength: 1, maxLength: 3 }), (texts) => {
          const commands = readable(texts, market)
          fc.pre(commands !== undefined)
          const did = sent(commands, market, account)
          orders += did?.orders.length ?? 0
          expect(did?.others ?? []).toEqual([])
          expect(did?.orders.filter((plan) => !onlyShrinks(plan, market)) ?? []).toEqual([])
        }),
        { numRuns: 1500 },
      )
      // The property would hold of an address that does nothing at all.
      if (account.position !== '0' || account.hedged !== undefined) expect(orders).toBeGreaterThan(20)
    },
  )

  const short = accountReading({ position: '-0.100', entryPrice: '61000' })
  test.each([
    ['market(position=0)', accountReading(), ['sell 0.1']],
    ['market(position=0)', short, ['buy 0.1']],
    ['market(sell, 50%p)', accountReading(), ['sell 0.05']],
    ['market(sell, 100%)', accountReading(), ['sell 0.1']],
    ['limit(sell, 100%p, 61000)', accountReading(), ['sell 0.1']],
    ['stop(sell, 100%p, 58000)', accountReading(), ['sell 0.1']],
    ['sltp(amount=100%p, sl=58000, tp=62000)', accountReading(), ['sell 0.1', 'sell 0.1']],
    ['oco { stop(sell, 0.1, 58000); limit(sell, 0.1, 62000) }', accountReading(), ['sell 0.1', 'sell 0.1']],
    // The account was not read yet: the venue takes no reduce-only order that would add.
    ['market(buy, 0.01)', accountReading(), ['buy 0.01']],
  ])('%p sends its orders reduce-only', (text, account, expected) => {
    const orders = sent(commandsOf(text), btcusdt, account)?.orders ?? []
    expect(orders.map(({ side, quantity }) => `${side} ${plain(quantity)}`)).toEqual(expected)
    expect(orders.every(({ reduceOnly }) => reduceOnly)).toBe(true)
  })

  test.each([
    ['balance', btcusdt],
    ['wait(1)', btcusdt],
    ['settings(leverage=20)', btcusdt],
    ['settings(marginMode=isolated)', btcusdt],
    ['settings(positionMode=hedge)', btcusdt],
    ['market(sell, 0.1, reduceOnly=false)', btcusdt],
    ['sltp(amount=100%p, sl=58000, reduceOnly=false)', btcusdt],
    ['market(buy, 0.1, positionSide=long)', btcusdt],
    ['stop(sell, 0.1, 58000, positionSide=short)', btcusdt],
    ['oco { stop(sell, 0.1, 58000); limit(sell, 0.1, 62000, reduceOnly=false) }', btcusdt],
    ['market(buy, 0.1)', spot],
    ['oco { stop(buy, 0.1, 61000); limit(buy, 0.1, 59000) }', spot],
  ])('is refused with %s', (text, market) => {
    const [command] = commandsOf(text, market.kind === 'spot' ? 'spot' : 'futures')
    expect(command && closeOnlyFinding(command, market)?.code).toBe('E407')
  })

  test('runs whatever its age and value, and not at all where its bot is halted', () => {
    const close = commandsOf('market(sell, 0.1)')
    const old = { ...active, maxEntryAgeMs: -1, maxOrderValue: '1' }
    expect(sent(close, btcusdt, accountReading(), old)?.orders).toHaveLength(1)
    expect(sent(close, btcusdt, accountReading(), { ...active, tradingState: 'halted' })?.orders).toEqual([])
  })
})

describe('a cancel of a close-only address', () => {
  const resting = (clientOrderId: string, differing: Partial<VenueOrder>): VenueOrder =>
    filled({ clientOrderId, status: 'open', filled: '0', type: 'limit', ...differing })
  const stop = { type: 'stop', isConditional: true, status: 'untriggered' } as const

  function canceled(listed: VenueOrder[], account: AccountReading, market = btcusdt, text = 'cancel') {
    const execution = begun(commandsOf(text), market, { isCloseOnly: true })
    const ran = run(execution, {
      limits: closeOnlyLimits(active),
      readings: [{ outcome: 'read', account }],
      lists: [{ outcome: 'read', orders: listed }],
    })
    const [result = null] = results(ran)
    const ids = result && 'cancelled' in result ? result.cancelled.map((order) => order.client_order_id) : []
    return { ids, note: result && 'note' in result ? result.note : undefined, steps: ran.steps }
  }

  test.each([
    ['an entry beside a long', accountReading(), resting('x', { side: 'buy' }), true],
    ['an entry that waits for its trigger', accountReading(), resting('x', { side: 'buy', ...stop }), true],
    ['a stop', accountReading(), resting('x', { side: 'sell', reduceOnly: true, ...stop }), false],
    ['a stop that is not reduce-only', accountReading(), resting('x', { side: 'sell', ...stop }), false],
    ['a take-profit', accountReading(), resting('x', { side: 'sell' }), false],
    [
      'a stop of a short',
      accountReading({ position: '-0.1' }),
      resting('x', { side: 'buy', ...stop }),
      false,
    ],
    ['an order of an unknown kind', accountReading(), resting('x', { side: 'buy', type: 'other' }), false],
    ['an entry from flat', accountReading(flat), resting('x', { side: 'sell' }), true],
    ['a reduce-only order left behind', accountReading(flat), resting('x', { reduceOnly: true }), false],
    ['an entry in hedge mode', hedged, resting('x', { side: 'buy' }), true],
    ['an exit in hedge mode', hedged, resting('x', { side: 'buy', reduceOnly: true }), false],
  ])('is asked to end %s', (_name, account, order, isEnded) => {
    expect(canceled([order], account).ids).toEqual(isEnded ? ['x'] : [])
  })

  test.each([
    ['buy', true],
    ['sell', false],
  ] as const)('on spot ends a resting %s: %s', (side, isEnded) => {
    const { ids } = canceled([resting('x', { side })], accountReading(spotHoldings), spot)
    expect(ids).toEqual(isEnded ? ['x'] : [])
  })

  test('leaves the stop of an entry that has not filled yet, and takes the entry', () => {
    const listed = [resting('entry', { side: 'buy' }), resting('its-stop', { side: 'sell', ...stop })]
    const { ids, note } = canceled(listed, accountReading(flat))
    expect([ids, note]).toEqual([['entry'], expect.stringContaining('1 order that closes or may protect')])
  })

  test('of protective orders succeeds, ends nothing and says so, so that the exit behind it runs', () => {
    const order = resting('x', { side: 'sell', reduceOnly: true, ...stop })
    const { note, steps } = canceled(
      [order],
      accountReading(),
      btcusdt,
      'cancel(stop); market(sell, 0.1, reduceOnly=true)',
    )
    expect(note).toContain('a close-only address cancels entries only')
    expect(steps.filter((step) => step.includes('cancel'))).toEqual([])
    expect(steps.at(-1)).toBe('0 settle success')
  })

  test('looks at the position before it looks at the orders', () => {
    expect(canceled([], accountReading()).steps.slice(0, 2)).toEqual(['0 read', '0 list'])
  })
})
