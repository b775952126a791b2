import { expect, test } from '@jest/globals'
import { btcusdt, commandsOf } from '../../../test/btcusdt.ts'
import { exitKindOf, exitsBefore } from './lane-use.ts'

test.each([
  ['market(position=0)', 'atOnce', ['atOnce', 'ending']],
  ['cancel', 'ending', ['atOnce', 'ending']],
  ['cancel; market(position=0)', 'atOnce', ['atOnce', 'ending']],
  ['sltp(amount=100%p, sl=58000)', 'resting', ['atOnce']],
  ['cancel; sltp(amount=100%p, sl=58000)', 'resting', ['atOnce']],
  ['limit(sell, 0.01, 70000, reduceOnly=true)', 'resting', ['atOnce']],
  ['market(buy, 0.01)', undefined, []],
  ['cancel; market(buy, 0.01)', undefined, []],
] as const)('%s is an exit of the kind %s, before which %j may be done', (text, kind, before) => {
  const commands = commandsOf(text)
  expect(exitKindOf(commands, btcusdt)).toBe(kind)
  expect(exitsBefore(commands, btcusdt)).toEqual(before)
})
