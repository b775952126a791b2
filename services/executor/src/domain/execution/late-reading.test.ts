import { expect, test } from '@jest/globals'
import { accountReading, flat } from '../../../test/btcusdt.ts'
import { reading, results, run, start } from '../../../test/scripted-run.ts'
import type { Reading } from '../account/account.ts'
import type { Placement } from '../order/order.ts'

const nothingToReduce: Placement = { outcome: 'refused', code: 'E510', error: 'current position is zero' }
const isFlat: Reading = { outcome: 'read', account: accountReading(flat) }
const refusals = () => Array.from({ length: 100 }, () => nothingToReduce)

test('an exit of orders that ended before reads show that is decided on anew, and the commands behind it run', () => {
  const answers = { placements: refusals(), readings: [reading, reading, isFlat] }
  const ran = run(start('market(position=0); cancel'), answers)
  expect(ran.steps).toEqual([
    '0 read',
    '0 place sell 0.100 reduce-only',
    '250 read',
    '250 place sell 0.100 reduce-only',
    '500 read',
    '500 settle success',
    '500 list',
    '500 endWatches',
    '500 settle success',
  ])
  expect(results(ran)[0]).toMatchObject({ code: 'N802' })
})

test('it is refused for good once no reading is as late as that', () => {
  const { steps } = run(start('market(position=0)'), { placements: refusals() })
  expect(steps.at(-1)).toMatch(/^2[0-5]\d{3} settle failed E510$/)
  expect(steps.length).toBeLessThan(30)
})

test('an exit that was sized by its words is refused at once', () => {
  const { steps } = run(start('market(sell, 0.01, reduceOnly=true)'), { placements: refusals() })
  expect(steps).toEqual(['0 place sell 0.010 reduce-only', '0 settle failed E510'])
})
