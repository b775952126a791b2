import { isZero, negate, subtract } from '@tripline/proto/decimal'
import type { Account, Line } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import type { BinanceWire } from './wire.ts'

/** The account calls that preparation and last step need of Binance spot; the fee of a purchase may be taken from what it bought. */
export function spotAccount({ symbol }: Line, { ask }: BinanceWire): Account {
  const feeOf = async (orderId: string): Promise<string> => {
    const { json } = await ask('myTrades', 'GET', '/api/v3/myTrades', { symbol, orderId })
    return rowsAt(json).reduce<string>((sum, row) => {
      const isTaken = symbol.startsWith(textAt(row, 'commissionAsset'))
      return isTaken ? subtract(sum, negate(textAt(row, 'commission'))) : sum
    }, '0')
  }
  return {
    openOrders: async () => {
      const { json, text, code } = await ask('openOrders', 'GET', '/api/v3/openOrders', { symbol })
      if (code !== 0) throw new Error(`openOrders answered ${text.slice(0, 160)}`)
      return rowsAt(json).map((row) => ({
        orderId: textAt(row, 'orderId'),
        clientId: textAt(row, 'clientOrderId'),
        isConditional: false,
      }))
    },
    cancel: async ({ orderId }) => await ask('cancel', 'DELETE', '/api/v3/order', { symbol, orderId }),
    boughtBy: async ({ clientId, orderId: known }) => {
      const name: Record<string, string> =
        known === undefined ? { origClientOrderId: clientId } : { orderId: known }
      const { json } = await ask('order.get', 'GET', '/api/v3/order', { symbol, ...name })
      const [orderId, filled] = [textAt(json, 'orderId'), textAt(json, 'executedQty') || '0']
      if (textAt(json, 'side') === 'SELL') return { orderId, quantity: negate(filled) }
      return { orderId, quantity: isZero(filled) ? '0' : subtract(filled, await feeOf(orderId)) }
    },
    position: async () => undefined,
    close: async (side, quantity, clientId) =>
      await ask('order.post', 'POST', '/api/v3/order', {
        ...{ symbol, side: side.toUpperCase(), type: 'MARKET', quantity },
        ...{ newClientOrderId: clientId, newOrderRespType: 'FULL' },
      }),
  }
}
