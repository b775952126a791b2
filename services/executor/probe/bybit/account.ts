import { isZero, negate, subtract } from '@tripline/proto/decimal'
import type { Account, Answer, Line } from '../exchange.ts'
import { at, rowsAt, textAt } from '../json-text.ts'
import type { BybitWire } from './wire.ts'

/** The account calls that preparation and last step need of Bybit; on spot the fee of a purchase is taken from what it bought. */
export function bybitAccount({ symbol, venue }: Line, { get, post }: BybitWire): Account {
  const category = venue === 'bybit-linear' ? 'linear' : 'spot'
  const rows = ({ json, text, code }: Answer): unknown[] => {
    if (code !== 0) throw new Error(`it answered ${text.slice(0, 160)}`)
    return rowsAt(json, 'result.list')
  }
  const of = { category, symbol }
  return {
    openOrders: async () => {
      const open = rows(await get('order.realtime', { ...of, openOnly: 0, limit: 50 }))
      return open
        .filter((row) =>
          ['New', 'PartiallyFilled', 'Untriggered', 'Created'].includes(textAt(row, 'orderStatus')),
        )
        .map((row) => ({
          orderId: textAt(row, 'orderId'),
          clientId: textAt(row, 'orderLinkId'),
          isConditional: textAt(row, 'orderStatus') === 'Untriggered',
        }))
    },
    cancel: async ({ orderId, isConditional }) => {
      const orderFilter = isConditional ? 'StopOrder' : 'Order'
      return await post('order.cancel', { ...of, orderId, ...(category === 'spot' && { orderFilter }) })
    },
    boughtBy: async ({ clientId }) => {
      const byName = { ...of, orderLinkId: clientId }
      const [recent] = rows(await get('order.realtime', byName))
      const [row] = recent === undefined ? rows(await get('order.history', byName)) : [recent]
      const [orderId, filled] = [textAt(row, 'orderId'), textAt(row, 'cumExecQty') || '0']
      if (textAt(row, 'side') === 'Sell') return { orderId, quantity: negate(filled) }
      const isReduced = category === 'spot' && !isZero(filled)
      return { orderId, quantity: isReduced ? subtract(filled, feeTaken(row, symbol)) : filled }
    },
    position: async () => {
      if (category === 'spot') return undefined
      const held = rows(await get('position.list', of)).find((row) => !isZero(textAt(row, 'size') || '0'))
      if (held === undefined) return '0'
      return textAt(held, 'side') === 'Sell' ? negate(textAt(held, 'size')) : textAt(held, 'size')
    },
    close: async (side, quantity, clientId) =>
      await post('order.create', {
        ...of,
        ...{
          side: side === 'buy' ? 'Buy' : 'Sell',
          orderType: 'Market',
          qty: quantity,
          orderLinkId: clientId,
        },
        ...(category === 'spot' ? { marketUnit: 'baseCoin' } : { reduceOnly: true, positionIdx: 0 }),
      }),
  }
}

// A reported fee coin may differ from the coin that was bought.
function feeTaken(row: unknown, symbol: string): string {
  const details = Object.entries((at(row, 'cumFeeDetail') ?? {}) as Record<string, string>)
  if (details.length === 0) return textAt(row, 'cumExecFee') || '0'
  return details.find(([coin]) => symbol.startsWith(coin))?.[1] ?? '0'
}
