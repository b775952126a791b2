/** What was typed of a bot. */
export interface TelegramFields {
  token: string
  chatId: string
}

const longestShortToken = 10

/** What is missing until notifications can be switched on, or undefined when nothing is. */
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
