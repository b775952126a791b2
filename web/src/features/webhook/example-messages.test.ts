import { expect, test } from '@jest/globals'
import { botFor, exampleMessages } from './example-messages.ts'

const futures = (label: string) => ({ label, market: 'futures' as const })

test.each([
  ['the first bot', [futures('Scalper'), futures('Swing')], undefined, 'Scalper'],
  ['the chosen bot', [futures('Scalper'), futures('Swing')], 'Swing', 'Swing'],
  ['the first where the chosen is gone', [futures('Scalper')], 'Swing', 'Scalper'],
  ['a sample before there is a bot', [], undefined, 'MyBot'],
  ['nobody while the bots are not known', undefined, undefined, undefined],
])('messages are for %s', (_name, bots, chosen, label) => {
  expect(botFor(bots, chosen)?.label).toBe(label)
})

test.each([
  ['futures', 'stopOrTakeProfit(amount=100%p, sl=1%, tp=2%)'],
  ['spot', 'stopOrTakeProfit(sell, 100%, sl=1%, tp=2%)'],
] as const)('on %s they protect the position they open by %s, and close it', (market, protect) => {
  const texts = exampleMessages({ label: 'MyBot', market }).map(({ message }) => message)
  expect(texts[1]).toContain(protect)
  expect(texts[3]).toContain('{\n  market(position=0)\n}')
})
