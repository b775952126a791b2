/** The typed fields of a Telegram bot. */
export interface TelegramFields {
  token: string
  chatId: string
}

const longestShortToken = 10

/** Returns the part that is missing until notifications can be switched on, or undefined when there is none. */
export function missingPart({
  token,
  chatId,
}: TelegramFields): 'both' | 'token' | 'shortToken' | 'chatId' | 'badChatId' | undefined {
  if (token === '') return chatId === '' ? 'both' : 'token'
  if (token.length <= longestShortToken) return 'shortToken'
  if (chatId === '') return 'chatId'
  return isChatId(chatId) ? undefined : 'badChatId'
}

/** True for the number of a chat; groups have a negative one. */
export function isChatId(text: string): boolean {
  return /^-?\d+$/.test(text)
}
