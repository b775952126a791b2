import { expect, test } from '@jest/globals'
import { createSharing } from './shared.ts'

function sharing() {
  const stopped: string[] = []
  const share = createSharing<{ name: string; stop: () => void }>()
  let opened = 0
  const at = (name: string) =>
    share(name, () => {
      const value = `${name} ${++opened}`
      return { name: value, stop: () => void stopped.push(value) }
    })
  return { at, stopped }
}

test('clients of an address share one thing, which is stopped when the last of them leaves', () => {
  const { at, stopped } = sharing()
  const [one, other, elsewhere] = [at('a'), at('a'), at('b')]
  expect([one.get().name, other.get().name, elsewhere.get().name]).toEqual(['a 1', 'a 1', 'b 2'])
  one.leave()
  one.leave()
  expect(stopped).toEqual([])
  other.leave()
  expect(stopped).toEqual(['a 1'])
  expect(at('a').get().name).toBe('a 3')
})

test('a resource that nobody asked for is not made', () => {
  const { at, stopped } = sharing()
  at('a').leave()
  expect(stopped).toEqual([])
  expect(at('a').get().name).toBe('a 1')
})
