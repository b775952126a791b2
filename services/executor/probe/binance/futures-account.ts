import { isZero, negate } from '@tripline/proto/decimal'
import type { Account, Line, OpenOrder } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import type { BinanceWire } from './wire.ts'

/** The account calls that preparation and last step need of Binance USDⓈ-M. */
export function futuresAccount({ symbol }: Line, { ask }: BinanceWire): Account {
  const list = async (call: string, path: string) => {
    const { json, text, code } = await ask(call, 'GET', path, { symbol })
    if (code !== 0) throw new Error(`${path} answered ${text.slice(0, 160)}`)
    return rowsAt(json)
  }
  return {
    openOrders: async () => {
      const plain = await list('orders.list', '/fapi/v1/openOrders')
      const algos = await list('algo.list', '/fapi/v1/openAlgoOrders')
      return [
        ...plain.map((row) => openOrder(row, 'orderId', 'clientOrderId')),
        ...algos.map((row) => openOrder(row, 'algoId', 'clientAlgoId')),
      ]
    },
    cancel: async ({ orderId, isConditional }) =>
      isConditional
        ? await ask('algo.cancel', 'DELETE', '/fapi/v1/algoOrder', { symbol, algoId: orderId })
        : await ask('order.delete', 'DELETE', '/fapi/v1/order', { symbol, orderId }),
    boughtBy: async ({ clientId, orderId }) => {
      const name: Record<string, string> =
        orderId === undefined ? { origClientOrderId: clientId } : { orderId }
      const { json } = await ask('order.get', 'GET', '/fapi/v1/order', { symbol, ...name })
      const filled = textAt(json, 'executedQty') || '0'
      const quantity = textAt(json, 'side') === 'SELL' ? negate(filled) : filled
      return { orderId: textAt(json, 'orderId'), quantity }
    },
    position: async () => {
      const rows = await list('positionRisk', '/fapi/v3/positionRisk')
      const held = rows.map((row) => textAt(row, 'positionAmt')).find((amount) => !isZero(amount || '0'))
      return held ?? '0'
    },
    close: async (side, quantity, clientId) =>
      await ask('order.post', 'POST', '/fapi/v1/order', {
        ...{ symbol, side: side.toUpperCase(), type: 'MARKET', quantity, reduceOnly: 'true' },
        ...{ newClientOrderId: clientId, newOrderRespType: 'RESULT' },
      }),
  }
}

function openOrder(row: unknown, id: string, name: string): OpenOrder {
  return { orderId: textAt(row, id), clientId: textAt(row, name), isConditional: id === 'algoId' }
}
