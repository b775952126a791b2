import { expect, test } from '@jest/globals'
import { missingPart } from './missing-part.ts'

test.each([
  ['', '', 'both'],
  ['', '42', 'token'],
  ['1234567890', '42', 'shortToken'],
  ['12345678901', '', 'chatId'],
  ['12345678901', '12ab', 'badChatId'],
  ['12345678901', '-', 'badChatId'],
  ['12345678901', '42', undefined],
  ['••••••••••••••••', '-42', undefined],
])('with token "%s" and chat id "%s" there is missing: %s', (token, chatId, missing) => {
  expect(missingPart({ token, chatId })).toBe(missing)
})
