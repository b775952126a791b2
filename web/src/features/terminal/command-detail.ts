import { BalanceOutcome, NothingToDo, OrderOutcome } from '@tripline/proto/command-result'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'

type Command = WebhookAnswer['results'][number]['results'][number]

/** What a command's result says, on one line. */
export function commandDetail({ result, error, error_code, status }: Command): string {
  if (error !== null)
    return error_code === null || error.startsWith(error_code) ? error : `${error_code} ${error}`
  const order = OrderOutcome.safeParse(result)
  if (order.success) return orderDetail(order.data)
  const balance = BalanceOutcome.safeParse(result)
  if (balance.success) return balanceDetail(balance.data)
  const nothing = NothingToDo.safeParse(result)
  if (nothing.success) return nothing.data.note
  return result === null ? status : JSON.stringify(result)
}

function orderDetail({ side, amount, price, status, id }: OrderOutcome): string {
  const at = price === null ? '' : ` @ ${short(price)}`
  return `${side} ${amount}${at} · ${status.replaceAll('_', ' ')} · order ${id}`
}

function balanceDetail({ balance, position }: BalanceOutcome): string {
  const held = `${balance.coin} total ${short(balance.total)} · free ${short(balance.free)}`
  if (position === null) return held
  const entry = position.entry_price === null ? '' : ` @ ${short(position.entry_price)}`
  return `${held} · ${position.side}${position.side === 'flat' ? '' : ` ${position.quantity}${entry}`}`
}

/** A decimal without the zeros at its end. */
function short(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}
