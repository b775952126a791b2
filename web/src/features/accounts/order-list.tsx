import type { AccountOrder } from '@tripline/proto/account'
import { Button } from 'antd'
import { Link } from 'react-router-dom'
import { numberText } from '../../shared/number-text.ts'
import { executionPath } from '../../shared/paths.ts'
import { SideMark } from '../../ui/accounts/marks.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { numberOrNone } from './number-or-none.ts'
import { type Column, RowList } from './row-list.tsx'
import { texts } from './texts.ts'

const { columns: names } = texts

interface OrderListProps {
  label: string
  orders: readonly AccountOrder[]
  leftOut: number
  onCancel: (order: AccountOrder) => void
}

/** The open orders of one account. */
export function OrderList({ label, orders, leftOut, onCancel }: OrderListProps) {
  if (orders.length === 0) return <p className="quiet">{texts.noOrders}</p>
  return (
    <>
      <RowList
        label={`${texts.orders}, ${label}`}
        columns={[...columns, canceling(onCancel)]}
        rows={orders}
        keyOf={({ client_order_id: ours, exchange_order_id: theirs }) => `${ours} ${theirs}`}
      />
      {leftOut > 0 && <p className="quiet">{texts.leftOut(leftOut)}</p>}
    </>
  )
}

const columns: readonly Column<AccountOrder>[] = [
  { name: names.symbol, cell: ({ symbol }) => <code>{symbol}</code> },
  { name: names.side, cell: ({ side }) => <SideMark side={side} /> },
  { name: names.type, isWide: true, cell: (order) => <OrderType order={order} /> },
  { name: names.amount, isNumber: true, cell: amountText },
  { name: names.price, isNumber: true, cell: ({ price }) => numberOrNone(price) },
  { name: names.trigger, isNumber: true, cell: ({ trigger_price: price }) => numberOrNone(price) },
  { name: names.origin, cell: (order) => <Origin order={order} /> },
  {
    name: names.created,
    cell: ({ created_at: at }) => (at === null ? '–' : <RelativeTime instant={at} />),
  },
]

function amountText({ filled, amount }: AccountOrder): string {
  const whole = /^[0.]*$/.test(amount) ? texts.wholePosition : numberText(amount)
  return `${numberText(filled)} / ${whole}`
}

function OrderType({ order }: { order: AccountOrder }) {
  return (
    <>
      {texts.types[order.type]}
      {order.reduce_only && <span className="quiet"> {texts.reduceOnly}</span>}
      {order.protects_nothing && (
        <span className="protects-nothing" title={texts.protectsNothingHint}>
          ⚠ {texts.protectsNothing}
        </span>
      )}
    </>
  )
}

function Origin({ order: { execution_id: id } }: { order: AccountOrder }) {
  return id === null ? texts.byHand : <Link to={executionPath(id)}>{texts.alert}</Link>
}

function canceling(onCancel: OrderListProps['onCancel']): Column<AccountOrder> {
  return {
    name: names.actions,
    isAction: true,
    cell: (order) => (
      <Button
        size="small"
        aria-label={texts.cancelOf(texts.types[order.type], order.symbol)}
        onClick={() => onCancel(order)}
      >
        {texts.cancel}
      </Button>
    ),
  }
}
