import { expect, test } from '@jest/globals'
import { isError } from './diagnostic.ts'
import type { KnownBot } from './label.ts'
import { readMessage } from './read-message.ts'

const bots: KnownBot[] = [{ label: 'MyBot', market: 'futures' }]

const commands = [
  'market(buy, 0.01)',
  'market(side=sell, amount=50%)',
  'limit(sell, 50%, 62000, postOnly=true)',
  'stop(sell, 100%p, offset=1%)',
  'sltp(amount=100%p, sl=2%, tp=4%)',
  'type=limit, side=buy, amount=1, price=58000',
  'oneCancelsOther() { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
  'oco(tag=a) { stop(sell, 1, 58000); limit(sell, 1, 62000) }',
  'oco { stop(sell, 1, 58000)\n limit(sell, 1, 62000) }',
  'cancel(tagged, x)',
  'wait(10s)',
  'exchangeSettings(leverage=10)',
]

const word = /\w+|[^\s\w]/g
// Slips typed in the place of a mark; a brace gives the whole message another shape, and "{{" is a placeholder.
const slips = ['(', ')', ',', ';', ':', '[', '']

/** The command with one word left out, doubled, or a mark of it mistaken for another. */
function brokenForms(command: string): string[] {
  return [...command.matchAll(word)].flatMap(({ 0: text, index }) => {
    const forms = [`${text} ${text}`, ...(/[(),;{}]/.test(text) ? slips : [''])]
    return forms.map((form) => command.slice(0, index) + form + command.slice(index + text.length))
  })
}

test.each(commands)('a slip in %s is reported once, whatever follows from it', (command) => {
  const reported = brokenForms(command).map((broken) => {
    const message = `MyBot(BTCUSDT) { balance; ${broken}; cancel }`
    return {
      broken,
      codes: readMessage(message, bots)
        .diagnostics.filter(isError)
        .map(({ code }) => code),
    }
  })
  expect(reported.filter(({ codes }) => codes.length > 1)).toEqual([])
})

test.each(['market(sell, 1, 62000)', 'market(sell, 1, price=62000)', 'market()'])(
  'a command that cannot be a leg is reported as that alone, whatever its values: %s',
  (leg) => {
    const { diagnostics } = readMessage(`MyBot(BTCUSDT) { oco { ${leg}; stop(sell, 1, 58000) } }`, bots)
    expect(diagnostics.map(({ code }) => code)).toEqual(['E211'])
  },
)

test.each([
  'market(buy, 0.01 # comment ) }',
  'market(buy, 0.01) # comment }',
  'oco { stop(sell, 1, 58000); limit(sell, 1, 62000 // ) } }',
])('a comment that takes the rest with it is reported once: %s', (rest) => {
  const { diagnostics } = readMessage(`MyBot(BTCUSDT) { ${rest}`, bots)
  expect(diagnostics.map(({ code }) => code)).toEqual(['E102'])
})
