import { expect, test } from '@jest/globals'
import { exampleMessages, labelFor } from './example-messages.ts'

test.each([
  ['the first bot', ['Scalper', 'Swing'], undefined, 'Scalper'],
  ['the chosen bot', ['Scalper', 'Swing'], 'Swing', 'Swing'],
  ['a sample before there is a bot', [], undefined, 'MyBot'],
  ['nobody while the bots are not known', undefined, undefined, undefined],
])('messages are for %s', (_name, labels, chosen, label) => {
  expect(labelFor(labels, chosen)).toBe(label)
})

test('the two exits have the sizes and distances of the ready messages', () => {
  const bracket = exampleMessages('MyBot')[2]?.message.replaceAll(/\s+/g, ' ')
  expect(bracket).toContain('market(buy, 0.01)')
  expect(bracket).toContain('stopOrder(sell, 100%p, -1%)')
  expect(bracket).toContain('limit(sell, 100%p, +2%)')
})
