import { z } from 'zod'
import { BotToken, ChatId } from '../notification.ts'

/** The text in place of a stored bot token, which is never shown again; sent back, it keeps the token. */
export const storedTokenMask = '•'.repeat(16)

/** `GET /api/notifications`. */
export const NotificationView = z.object({
  telegram_enabled: z.boolean(),
  telegram_bot_token: z.string().nullable().describe('a fixed mask where a token is stored'),
  telegram_chat_id: z.string().nullable(),
  last_error: z
    .string()
    .nullable()
    .describe('why the last message could not be sent, null after one that was'),
  last_error_at: z.iso.datetime().nullable(),
})
export type NotificationView = z.infer<typeof NotificationView>

const nothing = z.literal('').transform(() => null)
const trimmed = z.string().trim()

/** `PUT /api/notifications`; what is left out stays, null or an empty text deletes, the mask keeps the token. */
export const UpdateNotificationsBody = z.object({
  telegram_enabled: z.boolean().optional(),
  telegram_bot_token: trimmed
    .pipe(z.union([nothing, z.literal(storedTokenMask), BotToken]))
    .nullable()
    .optional(),
  telegram_chat_id: trimmed
    .pipe(z.union([nothing, ChatId]))
    .nullable()
    .optional(),
})
export type UpdateNotificationsBody = z.infer<typeof UpdateNotificationsBody>

/** `POST /api/notifications/test`; it answers 200 whenever the test ran. */
export const NotificationTestView = z.object({
  success: z.boolean(),
  message: z.string(),
  error: z.string().nullable(),
})
export type NotificationTestView = z.infer<typeof NotificationTestView>
