import { expect, test } from '@jest/globals'
import type { KeyView } from '@tripline/proto/http/key'
import { offeredBot } from './offered-bot.ts'

type Key = Parameters<typeof offeredBot>[0][number]

const testOf = (success: boolean): KeyView['last_test'] => ({
  success,
  message: '',
  error: null,
  checks: [],
  tested_at: '2026-11-27T21:00:00.000Z',
})
const able: Key = { label: 'Able', problem: null, last_test: testOf(true) }
const untested: Key = { label: 'Untested', problem: null, last_test: null }
const failed: Key = { label: 'Failed', problem: null, last_test: testOf(false) }
const refused: Key = {
  label: 'Refused',
  problem: 'its exchange does not take its key',
  last_test: testOf(true),
}

test.each([
  ['the only bot', [able], null, 'Able'],
  ['the only one that can trade, wherever it stands', [failed, untested, refused], null, 'Untested'],
  ['that one in place of one that cannot, which was offered before', [failed, able], 'Failed', 'Able'],
  ['the only one there is, though it cannot', [failed], null, 'Failed'],
  ['none of several that can trade', [able, untested], null, null],
  ['none of several that cannot', [failed, refused], null, null],
  ['the one before, when another can trade, too', [able, untested], 'Able', 'Able'],
  ['none where there is no bot', [], 'Able', null],
] as [string, Key[], string | null, string | null][])('%s is offered', (_name, keys, before, label) => {
  expect(offeredBot(keys, before)).toBe(label)
})
