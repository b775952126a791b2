import { expect, test } from '@jest/globals'
import { storedPosition, storePosition } from './stored-position.ts'

const place = {
  lastEventId: '7',
  events: [{ timestamp: '2026-01-02T03:04:05.006Z', type: 'webhook' as const, message: 'received' }],
}

function storageWith(stored: string | null = null) {
  let text = stored
  return {
    getItem: () => text,
    setItem: (_key: string, written: string) => {
      text = written
    },
  }
}

test('the place in the live events is there for the next page of the same person', () => {
  const storage = storageWith()
  storePosition(storage, 'ada', place)
  expect(storedPosition(storage, 'ada')).toMatchObject(place)
})

test('the place in the live events is not there for anybody else', () => {
  const storage = storageWith()
  storePosition(storage, 'ada', place)
  expect(storedPosition(storage, 'ben')).toBeUndefined()
})

test.each([null, '', '{', '[]', '{"userId":"ada","lastEventId":"7","events":[{"type":"nonsense"}]}'])(
  'a stored text %s is no place',
  (stored) => {
    expect(storedPosition(storageWith(stored), 'ada')).toBeUndefined()
  },
)
