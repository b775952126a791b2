import { type OpeningKey, unseal } from '@tripline/kit/crypto/seal'
import type { NotificationConfig } from '@tripline/proto/notification'
import { botTokenContext } from '@tripline/proto/notification'
import type { Send } from '../deps.ts'
import { postMessage, type TelegramOptions } from './post-message.ts'

/** Sends with a token that is opened for this one message only. */
export function openAndSend(openingKeys: readonly OpeningKey[], telegram: TelegramOptions): Send {
  return async (settings, html) => {
    const { chatId } = settings
    const token = openToken(openingKeys, settings)
    if (token === undefined || chatId === null) {
      return { outcome: 'refused', error: 'The stored bot token cannot be read, please enter it again' }
    }
    return await postMessage(telegram, { token, chatId, html })
  }
}

function openToken(
  openingKeys: readonly OpeningKey[],
  { userId, sealedToken }: NotificationConfig,
): string | undefined {
  try {
    return sealedToken === null ? undefined : unseal(openingKeys, sealedToken, botTokenContext(userId))
  } catch {
    return undefined
  }
}
