import { expect, test } from '@jest/globals'
import { usernameCandidates, wishedUsername } from './username.ts'

const userId = '0198c0de-0000-7000-8000-00c0ffee0001'

test('the wished username comes first, then numbered ones, then one that is certainly free', () => {
  expect(usernameCandidates('ada', userId)).toEqual([
    'ada',
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `ada${number}`),
    'ada-00c0ffee0001',
  ])
})

test('without a wish it is the part of the email before the @', () => {
  expect(wishedUsername('  ', 'countess@example.com')).toBe('countess')
  expect(wishedUsername(' ada ', 'countess@example.com')).toBe('ada')
})
