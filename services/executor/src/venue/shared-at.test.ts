import { expect, test } from '@jest/globals'
import { openConnections } from './dispatcher.ts'
import { createSharing } from './shared-at.ts'

function sharing() {
  const connections = openConnections()
  const stopped: string[] = []
  const share = createSharing<{ name: string; stop: () => void }>()
  let opened = 0
  const at = (address: string) =>
    share(connections, address, () => {
      const name = `${address} ${++opened}`
      return { name, stop: () => void stopped.push(name) }
    })
  return { at, stopped, connections }
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

test('what nobody asked for is not made', () => {
  const { at, stopped } = sharing()
  at('a').leave()
  expect(stopped).toEqual([])
  expect(at('a').get().name).toBe('a 1')
})
