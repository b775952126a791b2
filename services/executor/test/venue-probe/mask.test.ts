import { expect, test } from '@jest/globals'
import { createMask } from '../../probe/mask.ts'

const mask = createMask(['k3yK3yK3y'], 'tProbe')

test('keys, addresses, ids of accounts and orders, and amounts are hidden, and their form stays', () => {
  const secrets = {
    ...{ uid: '10234567', listenKey: 'abcDEF42', orderLinkId: 'byHand7', walletBalance: '2345.60' },
    note: 'k3yK3yK3y from 203.0.113.7',
  }
  const text = `{"orderId":8389766000000000001,"clientOrderId":"tProbe-1",${JSON.stringify(secrets).slice(1)}`
  const masked = mask(text)
  for (const secret of [...Object.values(secrets), 'k3yK3yK3y', '203.0.113.7', '8389766000000000001'])
    expect(masked).not.toContain(secret)
  expect(masked).toMatch(/^\{"orderId":83\d{17},"clientOrderId":"tProbe-1"/)
  expect(JSON.parse(masked)).toMatchObject({
    ...{ uid: expect.stringMatching(/^10\d{6}$/), walletBalance: '1111.10' },
    note: 'masked from 0.0.0.0',
  })
})

test('what is alike stays alike', () => {
  const { orderId, i } = JSON.parse(mask('{"orderId":"1234567890","i":"1234567890"}'))
  expect(i).toBe(orderId)
})
