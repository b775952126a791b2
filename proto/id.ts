import { z } from 'zod'

/** A user's id, a UUID. */
export const UserId = z.uuid().brand('UserId')
export type UserId = z.infer<typeof UserId>

/** The id of a bot, that is of one linked exchange account, a UUID. */
export const BotId = z.uuid().brand('BotId')
export type BotId = z.infer<typeof BotId>

/** The id of a login session, a UUID. */
export const SessionId = z.uuid().brand('SessionId')
export type SessionId = z.infer<typeof SessionId>

/** The id of one webhook message, a ULID. */
export const AlertId = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  .brand('AlertId')
export type AlertId = z.infer<typeof AlertId>

/** The id of one block of an alert: `<alert id>-<block index>`. */
export const ExecutionId = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}-\d{1,2}$/)
  .brand('ExecutionId')
export type ExecutionId = z.infer<typeof ExecutionId>

/** The id of the execution that runs the block at this place of an alert. */
export function executionIdOf(alertId: AlertId, block: number): ExecutionId {
  return `${alertId}-${block}` as ExecutionId
}

/** True for executions of one alert. */
export function areOfOneAlert(one: ExecutionId, other: ExecutionId): boolean {
  return one.split('-', 1)[0] === other.split('-', 1)[0]
}

/** Our name for an order, given before it is sent. */
export const ClientOrderId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,36}$/)
  .brand('ClientOrderId')
export type ClientOrderId = z.infer<typeof ClientOrderId>
