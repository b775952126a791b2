import { describe, expect, test } from '@jest/globals'
import { doneSteps, type Known, stepIds } from './checklist.ts'

const off = { telegram_enabled: false, telegram_bot_token: null, telegram_chat_id: null }
const on = { telegram_enabled: true, telegram_bot_token: '••••', telegram_chat_id: '7' }
const fresh: Known = { keys: [], lastAlertAt: null, isUrlCopied: false, notifications: off }
const done = (known: Partial<Known>) => [...(doneSteps({ ...fresh, ...known }) ?? ['unknown'])]

describe('of the first steps', () => {
  test('none is done by a new account', () => {
    expect(done({})).toEqual([])
  })

  test('the test is done by one that went well', () => {
    expect(done({ keys: [{ last_test: null }] })).toEqual(['key'])
    expect(done({ keys: [{ last_test: { success: false } }] })).toEqual(['key'])
    expect(done({ keys: [{ last_test: { success: true } }] })).toEqual(['key', 'test'])
  })

  test('the last is done by notifications that are configured and on', () => {
    expect(done({ notifications: { ...on, telegram_chat_id: null } })).toEqual([])
    expect(done({ notifications: on })).toEqual(['notifications'])
  })

  test('all can be done', () => {
    const keys = [{ last_test: { success: true } }]
    const lastAlertAt = '2026-11-21T12:00:00.000Z'
    expect(done({ keys, lastAlertAt, isUrlCopied: true, notifications: on })).toEqual([...stepIds])
  })

  test('nothing is said before everything is known', () => {
    expect(done({ keys: undefined })).toEqual(['unknown'])
  })
})
