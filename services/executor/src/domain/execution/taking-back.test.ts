import { describe, expect, test } from '@jest/globals'
import { accountReading, btcusdtSpot, spotHoldings } from '../../../test/btcusdt.ts'
import { type Answers, active, alertId, placed, type Ran, run, start } from '../../../test/scripted-run.ts'
import { chosenFrom, leftOf, type OwnExit } from '../group/own-exits.ts'
import type { VenueOrder } from '../order/order.ts'

const by = `${alertId}-0.0`
const outcomes = ({ execution }: Ran) => execution.outcomes

const stop: VenueOrder = {
  ...{ venueOrderId: '5', clientOrderId: 't5', side: 'sell', type: 'stop', status: 'untriggered' },
  ...{ quantity: '0.015', filled: '0', averagePrice: null, price: null, triggerPrice: '58000' },
  ...{ isConditional: true, reduceOnly: false, fee: null, updatedAt: null },
}

function exit(name: string, coins: string, differing: Partial<OwnExit> = {}): OwnExit {
  return {
    name,
    coins,
    orders: [{ ...stop, quantity: coins }],
    isLocking: true,
    limitsLoss: true,
    ...differing,
  }
}

const taken = (phase: 'taking' | 'selling', isAway: boolean) => ({ taken: { by, phase, isAway } })
const standing = exit('a', '0.015')
const away = exit('a', '0.015', taken('taking', true))
const selling = exit('a', '0.015', taken('selling', true))

function holding(free: string) {
  const holdings = [{ coin: 'BTC', total: '0.02', free }]
  return { outcome: 'read', account: accountReading({ ...spotHoldings, holdings }) } as const
}

const sale = (text: string, answers: Answers, more = {}) =>
  run(start(text, { market: btcusdtSpot, ...more }), answers)

/** Exits at the look, taken back, noted, and given back where all of it goes well. */
const well = () => ({
  exits: [[standing], [standing], [away], [selling], []],
  readings: [holding('0.005'), holding('0.02')],
})

/** The steps of a sale that takes exits back, until it is sent. */
const takingSteps = ['ownExits', 'read', 'ownExits', 'takeBack', 'read', 'beginSale'].map(
  (step) => `0 ${step}`,
)

describe('a sale on spot', () => {
  test.each(['market(sell, 100%)', 'market(position=0)', 'market(sell, 100%p)'])(
    'takes back the orders that lock its coins, reads them anew and sells: %s',
    (text) => {
      const ran = sale(text, well())
      expect(ran.steps).toEqual([...takingSteps, '0 place sell 0.02000', '0 giveBack', '0 settle success'])
      expect(outcomes(ran)).toMatchObject([
        { result: { taken_back: [{ id: '5', type: 'stop', price: '58000', stands_again: null }] } },
      ])
    },
  )

  test.each([
    ['market(sell, 100%a)', ['0 read', '0 place sell 0.00500', '0 settle success']],
    ['market(sell, 0.005)', ['0 ownExits', '0 place sell 0.00500', '0 settle success']],
    ['market(sell, 25%)', ['0 ownExits', '0 read', '0 ownExits', '0 place sell 0.00500', '0 settle success']],
  ])('takes nothing back where it needs nothing: %s', (text, steps) => {
    const { readings } = well()
    expect(sale(text, { readings, exits: [[standing], [standing]] }).steps).toEqual(steps)
  })

  test('of an amount looks for the orders that lock it once the exchange has refused it', () => {
    const refused = { outcome: 'refused', code: 'E506', error: 'not enough' } as const
    const ran = sale('market(sell, 0.02)', { ...well(), placements: [refused, placed] })
    expect(ran.steps.filter((step) => /place|takeBack|settle/.test(step))).toEqual([
      '0 place sell 0.02000',
      '0 takeBack',
      '0 place sell 0.02000',
      '0 settle success',
    ])
  })

  test('of an amount that all exits together do not free takes none back', () => {
    const refused = { outcome: 'refused', code: 'E506', error: 'not enough' } as const
    const little = [exit('a', '0.003')]
    const ran = sale('market(sell, 0.02)', {
      ...well(),
      exits: [little, little],
      readings: [holding('0.005')],
      placements: [refused],
    })
    expect(ran.steps.filter((step) => /place|takeBack|settle/.test(step))).toEqual([
      '0 place sell 0.02000',
      '0 settle failed E506',
    ])
  })

  test('of an amount takes back orders that lock nothing and would sell more than it leaves', () => {
    const unlocking = (one: OwnExit) => ({ ...one, isLocking: false })
    const { exits } = well()
    const ran = sale('market(sell, 0.01)', {
      exits: exits.map((each) => each.map(unlocking)),
      readings: [holding('0.02'), holding('0.02')],
    })
    expect(ran.steps).toEqual([
      ...takingSteps,
      '0 place sell 0.01000',
      '0 read',
      '0 giveBack',
      '0 settle success',
    ])
  })

  test('lets everything stand again where it is refused, and says so', () => {
    const refused = { outcome: 'refused', code: 'E601', error: 'no' } as const
    const ran = sale('market(sell, 100%)', {
      ...well(),
      exits: [[standing], [standing], [away], [selling], [standing]],
      placements: [refused],
    })
    expect(ran.steps.slice(-2)).toEqual(['0 giveBack', '0 settle failed E601'])
    expect(outcomes(ran)[0]?.error).toBe(
      'no; taken back for it: stop sell 0.015 at 58000, which stands again for 0.015',
    )
  })

  test('names the other orders that lock the coins, and the remedy', () => {
    const others = { ...stop, venueOrderId: '9', clientOrderId: 'by-hand', quantity: '0.02' }
    const ran = sale('market(sell, 100%)', {
      readings: [holding('0')],
      exits: [[], []],
      lists: [{ outcome: 'read', orders: [others] }],
    })
    expect(outcomes(ran)[0]).toMatchObject({ status: 'failed', errorCode: 'E506' })
    expect(outcomes(ran)[0]?.error).toMatch(
      /stop sell 0.02 at 58000 \(by-hand\) is not an order of this bot: .*cancel/,
    )
  })

  test('waits for orders that are not away, and gives them back where its bot is halted meanwhile', () => {
    const open = exit('a', '0.015', taken('taking', false))
    const ran = sale('market(sell, 100%)', {
      readings: [holding('0.005')],
      exits: [[standing], [standing], [open], [open], [standing]],
      limits: (now) => ({ ...active, tradingState: now < 400 ? 'active' : 'halted' }),
    })
    expect(ran.steps.slice(-4)).toEqual([
      '0 takeBack',
      '200 takeBack',
      '400 giveBack',
      '400 settle failed E516',
    ])
  })

  test('sells coins that were free or taken back where a late reading does not show yet that they are free', () => {
    const ran = sale('market(sell, 100%)', { ...well(), readings: [holding('0.005'), holding('0.005')] })
    expect(ran.steps).toContain('0 place sell 0.02000')
    expect(outcomes(ran)).toMatchObject([{ status: 'success' }])
  })

  test('sells no more than the coins that a late reading shows', () => {
    const halfFilled = [exit('a', '0.010', taken('taking', true))]
    const exits = [[standing], [standing], halfFilled, halfFilled, []]
    const ran = sale('market(sell, 100%)', { exits, readings: [holding('0.005'), holding('0.005')] })
    expect(ran.steps).toContain('0 place sell 0.01500')
  })

  test('takes back the orders that lock its coins where a late reading does not show yet that they do', () => {
    const ran = sale('market(sell, 100%)', { ...well(), readings: [holding('0.02'), holding('0.02')] })
    expect(ran.steps).toContain('0 takeBack')
    expect(ran.steps).toContain('0 place sell 0.02000')
  })

  test('names no order of its own among those that lock the coins, though a late list shows it', () => {
    const others = { ...stop, venueOrderId: '9', clientOrderId: 'by-hand', quantity: '0.005' }
    const ran = sale('market(sell, 100%)', {
      ...well(),
      readings: [holding('0'), holding('0')],
      lists: [{ outcome: 'read', orders: [stop, others] }],
    })
    const words = /; stop sell 0\.005 at 58000 \(by-hand\) is not an order/
    expect(outcomes(ran)).toMatchObject([
      { status: 'success', result: { warnings: [{ code: 'W705', text: expect.stringMatching(words) }] } },
    ])
  })
})

describe('a successor of a sale', () => {
  const inherited = { notAbsentBefore: 1000 }

  test('sends it at once where it is not noted that it was sent', () => {
    const ran = sale(
      'market(sell, 100%)',
      { ...well(), exits: [[away], [away], [selling], []], readings: [holding('0.02')] },
      inherited,
    )
    expect(ran.steps.some((step) => step.includes('lookUp'))).toBe(false)
    expect(outcomes(ran)).toMatchObject([{ status: 'success', result: { taken_back: [{}] } }])
  })

  test('sells coins that were taken back where a late reading shows nothing free', () => {
    const exits = [[away], [away], [selling], []]
    const ran = sale('market(sell, 100%)', { exits, readings: [holding('0')] }, inherited)
    expect(ran.steps).toContain('0 place sell 0.01500')
  })

  test('looks it up where that is noted, and lets the orders for unsold coins stand again', () => {
    const order = { ...stop, clientOrderId: `t${alertId}000000`, type: 'market', status: 'filled' } as const
    const found = { outcome: 'found', order: { ...order, quantity: '0.01', filled: '0.01' } } as const
    const half = exit('a', '0.01')
    const ran = sale(
      'market(sell, 50%)',
      { exits: [[selling], [half]], lookUps: [found], readings: [holding('0.01')] },
      inherited,
    )
    expect(ran.steps).toEqual(['0 ownExits', '0 lookUp', '0 read', '0 giveBack', '0 settle success'])
    expect(outcomes(ran)).toMatchObject([{ result: { taken_back: [{ stands_again: '0.01' }] } }])
  })
})

describe('orders that are taken back', () => {
  const own = [
    exit('3', '1', { limitsLoss: false }),
    exit('1', '1'),
    exit('2', '1', { taken: { by: 'another', phase: 'taking', isAway: true } }),
    exit('4', '1', { limitsLoss: false }),
  ]
  test.each([
    ['0', []],
    ['0.5', ['3']],
    ['1', ['3']],
    ['1.5', ['3', '4']],
    ['9', ['3', '4', '1']],
  ])('for %s coins are those that limit no loss, then the oldest', (lacking, names) => {
    expect(chosenFrom(own, { lacking, staying: '0' }).map(({ name }) => name)).toEqual(names)
  })

  test('are those that lock nothing only where they would sell more than the coins that stay', () => {
    const unlocked = [exit('1', '1', { isLocking: false }), exit('2', '2', { isLocking: false })]
    expect(chosenFrom(unlocked, { lacking: '0', staying: '1' }).map(({ name }) => name)).toEqual(['2'])
  })

  test('stand again for the free coins, the last one first', () => {
    expect(leftOf([exit('1', '1'), exit('2', '1')], '1.5')).toEqual([
      { name: '1', left: '0.5' },
      { name: '2', left: '1' },
    ])
  })
})
