import type { Command } from '@tripline/proto/alert-tree'
import { isZero } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import type { PlannedCommand } from '@tripline/proto/plan'
import type { AccountReading, AccountSettings } from '../account/account.ts'
import { balanceOf } from '../account/balance.ts'
import { afterUnlocking } from '../account/funds.ts'
import { withoutCanceled } from '../account/last-entry.ts'
import { type BotLimits, haltedError } from '../account/permit.ts'
import { type CancelCommand, isMeant } from '../execution/cancel-orders.ts'
import { changeOf, type SettingsCommand } from '../execution/change-settings.ts'
import type { Market } from '../order/market.ts'
import type { VenueOrder } from '../order/order.ts'
import type { OrderCommand } from '../resolve/command.ts'
import { coinText } from './coin-text.ts'
import { cancelView, type PlanStep, planned, refused } from './planned.ts'

/** Basis of a planned command without orders. */
export interface ActScene {
  market: Market
  reading: AccountReading
  open: readonly VenueOrder[] | undefined
  limits: BotLimits
}

/** Plans a command that places no orders. */
export function planAct(
  command: Exclude<Command, OrderCommand>,
  alertId: AlertId,
  scene: ActScene,
): PlanStep {
  const isHalted = scene.limits.tradingState === 'halted'
  if (isHalted && command.type !== 'balance') return { plan: refused(command, 'E516', haltedError) }
  switch (command.type) {
    case 'cancel':
      return planCancel(command, alertId, scene)
    case 'balance':
      return { plan: planBalance(command, scene) }
    case 'wait': {
      const note = `waits ${command.durationMs / 1000} s; the commands after it are sized then`
      return { plan: { ...planned(command, 'acts'), note } }
    }
    case 'exchangeSettings':
      return planSettings(command, scene)
  }
}

function planCancel(command: CancelCommand, alertId: AlertId, { market, reading, open }: ActScene): PlanStep {
  const { symbol } = market
  if (open === undefined) {
    const which =
      command.which === 'all' ? 'every open order' : `open orders (${command.order ?? command.which})`
    const note = `cancels ${which} of ${symbol}; the exchange could not be asked which there are`
    return { plan: { ...planned(command, 'acts'), note } }
  }
  const meant = open.filter((order) => isMeant(order, command, alertId))
  if (meant.length === 0) {
    return { plan: { ...planned(command, 'nothing'), note: `${symbol} has no such open order` } }
  }
  const cancels = meant.map(cancelView)
  const note = `cancels ${meant.length} of ${open.length} open orders of ${symbol}`
  return {
    plan: { ...planned(command, 'acts'), cancels, note },
    reading: afterCancel(afterUnlocking(reading, market, meant), meant),
    open: open.filter((order) => !meant.includes(order)),
  }
}

/** The account with what was entered by none of these orders, where nothing was filled of them. */
function afterCancel(reading: AccountReading, canceled: readonly VenueOrder[]): AccountReading {
  if (reading.lastEntries === undefined) return reading
  const unfilled = new Set<string>(
    canceled.flatMap(({ clientOrderId, filled }) => (isZero(filled) ? clientOrderId : [])),
  )
  return { ...reading, lastEntries: withoutCanceled(reading.lastEntries, (order) => unfilled.has(order)) }
}

function planBalance(
  command: Extract<Command, { type: 'balance' }>,
  { market, reading }: ActScene,
): PlannedCommand {
  const found = balanceOf(command, reading, market)
  if (found === undefined) return refused(command, 'E303', `${command.asset} is not held in this account`)
  const { balance, equity, available, position } = found
  const { coin } = balance
  const held = `${coinText(balance.total, coin, market)} ${coin}, ${coinText(balance.free, coin, market)} of it free`
  const [whole, free] = [equity, available].map((amount) => coinText(amount, reading.coin, market))
  const worth = `equity ${whole}, available ${free} ${reading.coin}`
  const side =
    position && (position.side === 'flat' ? 'flat' : `${position.side} ${position.quantity} ${market.base}`)
  const note = [`reports the balance: ${held}`, worth, side].filter(Boolean).join('; ')
  return { ...planned(command, 'acts'), note }
}

const settingNames = {
  leverage: 'leverage',
  marginMode: 'margin mode',
  positionMode: 'position mode',
} as const

function planSettings(command: SettingsCommand, { market, reading }: ActScene): PlanStep {
  const change = changeOf(command)
  const { settings } = reading
  if (settings === null) return { plan: refused(command, 'E404', `${market.symbol} has no such settings`) }
  const names = (Object.keys(change) as (keyof AccountSettings)[]).filter(
    (name) => change[name] !== undefined,
  )
  const different = names.filter((name) => change[name] !== settings[name])
  const isHeld = reading.hedged
    ? !isZero(reading.hedged.long.quantity) || !isZero(reading.hedged.short.quantity)
    : !isZero(reading.position)
  if (different.includes('positionMode') && isHeld) {
    const error = 'the position mode cannot be changed while a position is open'
    return { plan: refused(command, 'E405', error) }
  }
  const words = names.map((name) =>
    different.includes(name)
      ? `${settingNames[name]} ${settings[name]} → ${change[name]}`
      : `${settingNames[name]} is already ${settings[name]}`,
  )
  if (command.leverage !== undefined && command.marginMode === undefined) {
    words.push(`margin mode unchanged (${settings.marginMode})`)
  }
  const outcome = different.length > 0 ? 'acts' : 'nothing'
  const after = { ...settings, ...change }
  return {
    plan: { ...planned(command, outcome), note: words.join('; ') },
    reading: { ...reading, settings: after },
  }
}
