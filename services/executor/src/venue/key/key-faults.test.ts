import { describe, expect, test } from '@jest/globals'
import { type KeyFault, stateBy } from '../../domain/account/key-test.ts'
import { keyFaults as binance } from '../binance/codes.ts'
import { keyFaults as bybit } from '../bybit/codes.ts'

describe('a fault of a key', () => {
  test('is reported by a few codes of each', () => {
    expect([...binance.keys()]).toEqual([-1022, -2008, -2014, -2015])
    expect([...bybit.keys()]).toEqual([10003, 10004, 10005, 10010, 33004])
  })

  test.each([
    ['Binance: a clock, limits, an overload', binance, [-1021, -5028, -1003, -1008, -1015, -1016]],
    ['Binance: an order, or what the account may do', binance, [-1002, -2010, -2019, -4087, -4109, -4192]],
    ['Bybit: a clock, limits, maintenance', bybit, [-1, 10002, 10006, 10016, 10018, 10019, 10429]],
    ['Bybit: bans, regions, cooling-off periods', bybit, [10008, 10009, 10024, 10027, 110123, 110125]],
  ] as const)('is no passing refusal: %s', (_name, faults, codes) => {
    expect(codes.filter((code) => faults.has(code))).toEqual([])
  })
})

describe('the verdict on a key', () => {
  const findings = { venue: 'Bybit', market: 'futures', network: 'mainnet', clockOffsetMs: 0 } as const
  const refusedFor = (fault: KeyFault) =>
    stateBy({ ...findings, key: { isAccepted: false, fault } }, '192.0.2.7')
  const takenWith = (mayTrade: boolean | undefined) => {
    const rights = { mayTrade, mayWithdraw: true, isBoundToAddresses: false }
    return stateBy({ ...findings, key: { isAccepted: true, rights } }, undefined)
  }

  test.each([...new Set([...binance.values(), ...bybit.values()])])(
    'of one refused as %s says what to do',
    (fault) => {
      expect(refusedFor(fault)).toEqual({ outcome: 'refused', problem: expect.stringMatching(/\w\. [A-Z]/) })
    },
  )

  test('of one that may not come from here names the addresses to allow', () => {
    expect(refusedFor('address')).toMatchObject({
      problem: expect.stringContaining('Allow 192.0.2.7 at Bybit'),
    })
  })

  test('is open where the exchange gave no answer, or refused for something else', () => {
    expect(refusedFor('clock')).toEqual({ outcome: 'unknown' })
    expect(refusedFor('other')).toEqual({ outcome: 'unknown' })
    expect(stateBy({ ...findings, key: undefined }, undefined)).toEqual({ outcome: 'unknown' })
    const { clockOffsetMs: _, ...silent } = findings
    expect(stateBy({ ...silent, clockOffsetMs: undefined, key: undefined }, undefined)).toEqual({
      outcome: 'unknown',
    })
  })

  test('is against one that may read and not trade, and for one that may do too much', () => {
    expect(takenWith(false)).toMatchObject({
      outcome: 'refused',
      problem: expect.stringContaining('may not trade'),
    })
    expect(takenWith(true)).toEqual({ outcome: 'taken' })
    expect(takenWith(undefined)).toEqual({ outcome: 'taken' })
  })
})
