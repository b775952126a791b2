import { expect, test } from '@jest/globals'
import { remarksIn } from './remark.ts'

const far = { code: 'W707', text: '95000 is more than 50% from the market' }
const rounded = { code: 'W704', text: '0.0105 was rounded to 0.010, by more than 1%' }

test.each([
  ['an order', { id: '1', warnings: [far, rounded] }, [far, rounded]],
  ['a protection', { stopLoss: { warnings: [far] }, takeProfit: { warnings: [rounded] } }, [far, rounded]],
  ['half of one', { stopLoss: null, takeProfit: { warnings: [far] } }, [far]],
  ['a group', { orders_count: 2, orders: [{ warnings: [far] }, { warnings: [rounded] }] }, [far, rounded]],
  ['what was taken back', { undone: [{ warnings: [far] }] }, [far]],
  ['the same of two orders', { orders: [{ warnings: [far] }, { warnings: [far] }] }, [far]],
  ['nothing to do', { code: 'N802', note: 'flat' }, [{ code: 'N802', text: 'flat' }]],
  ['nothing to cancel', { code: 'N802', note: 'none', cancelled_count: 0 }, [{ code: 'N802', text: 'none' }]],
  ['an order without any', { id: '1' }, []],
  ['a refusal', { code: 'E507', note: 'x' }, []],
  ['no result', null, []],
  ['anything', 'x', []],
])('the remarks of %s', (_name, result, remarks) => {
  expect(remarksIn(result)).toEqual(remarks)
})
