import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { commandTable, parameterTable } from '@tripline/proto/language/command-table'
import { readMessage } from '@tripline/proto/language/read-message'
import {
  amountReference,
  commandReference,
  kindReference,
  priceReference,
} from '@tripline/proto/language/reference'
import { rootDir } from '@tripline/testkit/paths'
import { fillIn } from './language-reference.ts'

const bots = [{ label: 'MyBot', market: 'futures' }] as const

function codesOf(command: string): string[] {
  const { blocks, diagnostics } = readMessage(`MyBot(BTCUSDT) { ${command} }`, bots)
  return diagnostics.map(({ code }): string => code).concat(blocks.length === 0 ? ['none'] : [])
}

test('the page on the language has the content of the tables (else run npm run docs)', () => {
  const page = readFileSync(path.join(rootDir, 'docs/commands.md'), 'utf8')
  expect(page).toBe(fillIn(page))
})

test.each(commandTable.flatMap(({ type, example }) => [example, ...commandReference[type].examples]))(
  'the example %s is read without a remark',
  (example) => {
    expect(codesOf(example)).toEqual([])
  },
)

test('a page without a place for a part is refused', () => {
  expect(() => fillIn('# Nothing')).toThrow('no place for commands')
  expect(() => fillIn('<!-- from the tables: wishes -->\n\n<!-- end -->')).toThrow('no part "wishes"')
})

const forms: [written: string, command: string][] = [
  ...Object.entries(amountReference).flatMap(([basis, { forms }]) =>
    forms.map((form): [string, string] => [basis, `market(buy, ${form})`]),
  ),
  ...Object.entries(priceReference).flatMap(([basis, { price, offset }]) => [
    ...price.map((form): [string, string] => [basis, `limit(buy, 1, ${form})`]),
    ...offset.map((form): [string, string] => [basis, `limit(buy, 1, offset=${form})`]),
  ]),
]

test.each(forms)('of basis %s is the value in %s', (basis, command) => {
  const [block] = readMessage(`MyBot(BTCUSDT) { ${command} }`, bots).blocks
  const written = JSON.stringify(block?.commands[0])
  expect(written).toContain(`"basis":"${basis}"`)
})

test('every kind of value has its place in the reference, and choices their words in the table', () => {
  for (const { kind, choices } of Object.values(parameterTable)) {
    expect(kindReference[kind].is).not.toBe('')
    expect(kind === 'choice' || kind === 'positionMode').toBe(choices !== undefined)
  }
})
