import { fnv1a } from './fnv1a.ts'
import { type AlertId, type ClientOrderId, ExecutionId, executionIdOf } from './id.ts'

/** The position of an order in its alert; the same order has the same one in every attempt. */
export interface OrderOrigin {
  alertId: AlertId
  block: number
  command: number
  leg: number
  revision: number
  /** Named orders carry 4 characters more, so that open orders can be recognized by their tag. */
  tag?: string | undefined
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUV'

/**
 * The client order id of the order at this place: `t`, the alert's ULID, then block (1), command (2), leg (1)
 * and revision (1) in base 32, 32 characters that every venue accepts; with a tag, its mark behind them.
 */
export function clientOrderIdOf(origin: OrderOrigin): ClientOrderId {
  const { alertId, block, command, leg, revision } = origin
  const position = [
    digit(block),
    digit(Math.floor(command / 32)),
    digit(command % 32),
    digit(leg),
    digit(revision),
  ]
  const mark = origin.tag === undefined ? '' : tagMark(origin.tag)
  return `${alertPrefix(alertId)}${position.join('')}${mark}` as ClientOrderId
}

/** True when the id is one of an order of this alert. */
export function isOfAlert(clientOrderId: string, alertId: AlertId): boolean {
  return clientOrderId.startsWith(alertPrefix(alertId))
}

const oursPattern = /^t([0-9A-Z]{26})([0-9A-V])[0-9A-V]{4}(?:[0-9A-V]{4})?$/

/** The execution whose order bears this name; undefined where the name is not one of ours. */
export function executionOfOrder(clientOrderId: string): ExecutionId | undefined {
  const [, alertId = '', block = ''] = oursPattern.exec(clientOrderId) ?? []
  return ExecutionId.safeParse(executionIdOf(alertId as AlertId, digits.indexOf(block))).data
}

// Leg and revision stand behind the command.
const commandLength = 30

/** True when both ids are of orders of one command of ours, as those of a pair are. */
export function isOfSameCommand(one: string, other: string): boolean {
  const isOurs = /^t[0-9A-Z]{31}/.test(one)
  return isOurs && one.slice(0, commandLength) === other.slice(0, commandLength)
}

/** True when both ids are of one order of ours and of what was placed in its place. */
export function isOfSameLeg(one: string, other: string): boolean {
  return isOfSameCommand(one, other) && one[commandLength] === other[commandLength]
}

const untaggedLength = 32

/** True when the id is one of ours that carries this tag. */
export function hasTag(clientOrderId: string, tag: string): boolean {
  const isTagged = /^t[0-9A-Z]{35}$/.test(clientOrderId)
  return isTagged && clientOrderId.slice(untaggedLength) === tagMark(tag)
}

/** The leg and revision that the id of an order of ours names, in its own digits. */
export function legMark(clientOrderId: string): string {
  return clientOrderId.slice(untaggedLength - 2, untaggedLength)
}

/** The 4 characters by which the client order ids of a tag end: 20 bits of FNV-1a in base 32. */
function tagMark(tag: string): string {
  const hash = fnv1a(tag)
  return [15, 10, 5, 0].map((shift) => digit((hash >>> shift) & 31)).join('')
}

/** Returns the beginning of all client order ids of an alert's orders. */
function alertPrefix(alertId: AlertId): string {
  return `t${alertId}`
}

function digit(value: number): string {
  const character = digits[value]
  if (character === undefined) throw new RangeError(`${value} does not fit one base-32 digit`)
  return character
}
