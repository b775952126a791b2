import type { Command } from '@tripline/proto/alert-tree'
import { addsToItsSide } from '@tripline/proto/exit'
import type { Market } from '../order/market.ts'
import type { BotLimits } from './permit.ts'

type OrderCommand = Extract<Command, { type: 'market' | 'limit' | 'stopOrder' | 'stopOrTakeProfit' }>

/** An act that a close-only address forbids. */
interface NotAllowed {
  code: 'E407'
  message: string
}

/** Why an alert of a close-only address may not have this command here; undefined where it may. */
export function closeOnlyFinding(command: Command, market: Market): NotAllowed | undefined {
  switch (command.type) {
    case 'cancel':
      return undefined
    case 'balance':
    case 'exchangeSettings':
      return notAllowed(command.type)
    case 'wait':
      // One that sleeps would act when its sender may have lost the address, and holds what other alerts wait with.
      return notAllowed(command.type)
    case 'oneCancelsOther':
      return command.legs.map((leg) => orderFinding(leg, market)).find((finding) => finding !== undefined)
    default:
      return orderFinding(command, market)
  }
}

function orderFinding(command: OrderCommand, { kind }: Market): NotAllowed | undefined {
  const { side, reduceOnly, positionSide } = command
  if (reduceOnly === false) return notAllowed('reduceOnly=false')
  if (kind === 'spot') return side === 'buy' ? notAllowed('a buy on spot') : undefined
  return addsToItsSide(command) ? notAllowed(`a ${side} of positionSide=${positionSide}`) : undefined
}

function notAllowed(subject: string): NotAllowed {
  const message = `${subject} is not allowed at a close-only address, which closes positions and cancels entries`
  return { code: 'E407', message }
}

/** The command as it runs for a close-only address: where the venue can hold its orders to reducing, it does. */
export function reducing(command: Command, market: Market): Command {
  if (!market.features.reduceOnly) return command
  switch (command.type) {
    case 'market':
    case 'limit':
    case 'stopOrder':
    case 'stopOrTakeProfit':
      return { ...command, reduceOnly: true }
    case 'oneCancelsOther':
      return { ...command, legs: command.legs.map((leg) => ({ ...leg, reduceOnly: true })) }
    default:
      return command
  }
}

/** Returns a bot's limits for an alert of its close-only address. */
export function closeOnlyLimits(limits: BotLimits): BotLimits {
  const tradingState = limits.tradingState === 'halted' ? 'halted' : 'reducing'
  return { ...limits, tradingState, isCloseOnly: true }
}
