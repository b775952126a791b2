import { z } from 'zod'
import { UserId } from './id.ts'
import { ChatId } from './notification.ts'
import { requestContract } from './request.ts'

const NotificationSettings = z.object({
  isEnabled: z.boolean(),
  hasToken: z.boolean(),
  chatId: ChatId.nullable(),
})
/** The destination of a user's notifications, as the owner may see it. */
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** A user's notification settings; off and empty until they are set. */
export const getNotificationSettings = requestContract(
  'keys.notification.get',
  z.object({ userId: UserId }),
  NotificationSettings,
)

/** Changes a user's notification settings; what is left out stays, null deletes. */
export const updateNotificationSettings = requestContract(
  'keys.notification.update',
  z.object({
    userId: UserId,
    isEnabled: z.boolean().optional(),
    /** Sealed to the notifier. */
    sealedToken: z.string().max(2048).nullable().optional(),
    chatId: ChatId.nullable().optional(),
  }),
  NotificationSettings,
)

/**
 * Returns the state of the delivery of a user's notifications: why the last attempt failed, null after one that did
 * not.
 */
export const getDelivery = requestContract(
  'notifier.delivery.get',
  z.object({ userId: UserId }),
  z.object({ lastError: z.string().nullable(), lastErrorAt: z.iso.datetime().nullable() }),
)

/**
 * Finds the messages about one execution: when the last one was sent, and how many wait. `isKnown` is false where that is
 * forgotten, `isOn` is how the settings are now.
 */
export const findMessages = requestContract(
  'notifier.message.find',
  z.object({
    userId: UserId,
    executionId: z
      .string()
      .max(40)
      .regex(/^[0-9A-Za-z-]+$/),
    at: z.number().describe('when it was received, in ms'),
    /** The moment of the refusal, in ms, if it names no bot: such alerts share a message. */
    refusedAt: z.number().optional(),
  }),
  z.object({
    isOn: z.boolean(),
    isKnown: z.boolean(),
    sentAt: z.iso.datetime().nullable(),
    waiting: z.int().nonnegative(),
    lastError: z.string().nullable(),
  }),
)
export type FoundMessages = z.infer<typeof findMessages.answered>

/** Sends a test message now; `conflict` while no bot token or chat is set. */
export const sendTestMessage = requestContract(
  'notifier.message.test',
  z.object({ userId: UserId }),
  z.object({ success: z.boolean(), error: z.string().nullable() }),
)
