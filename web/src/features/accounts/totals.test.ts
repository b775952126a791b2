import { expect, test } from '@jest/globals'
import { AccountReading } from '@tripline/proto/account'
import { totalsOf } from './totals.ts'

const reading = { label: 'Bot', exchange: 'paper_futures', is_testnet: false, read_at: null }
const nothing = {
  equity: '100',
  available: '100',
  balances: [],
  positions: [],
  orders: [],
  orders_left_out: 0,
}
const position = {
  symbol: 'BTCUSDT',
  side: 'long',
  position_side: 'both',
  size: '0.01',
  entry_price: '60000',
  mark_price: '60010',
  unrealized_pnl: '0.1',
  margin: '60',
  liquidation_price: null,
}

function account(statement: object | null): AccountReading {
  const id = crypto.randomUUID()
  const fault = statement === null ? { error_code: 'E406', error: 'Bot cannot be read' } : {}
  return AccountReading.parse({
    ...reading,
    api_key_id: id,
    statement,
    error_code: null,
    error: null,
    ...fault,
  })
}

test('positions, orders and profits of all accounts add up to the cent', () => {
  const one = { ...nothing, positions: [position, { ...position, unrealized_pnl: null }], orders_left_out: 3 }
  const other = { ...nothing, positions: [{ ...position, unrealized_pnl: '0.2' }] }
  expect(totalsOf([account(one), account(null), account(other)])).toEqual({
    positions: 3,
    orders: 3,
    profit: '0.3',
  })
})

test('a profit that no exchange reports is none, which is not zero', () => {
  const spot = { ...nothing, positions: [{ ...position, unrealized_pnl: null }] }
  expect(totalsOf([account(spot)]).profit).toBeNull()
  expect(totalsOf([]).profit).toBeNull()
})
