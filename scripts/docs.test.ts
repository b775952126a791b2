import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { diagnosticCodes } from '@tripline/proto/error-code'
import { commandTable } from '@tripline/proto/language/command-table'
import { readMessage } from '@tripline/proto/language/read-message'
import { rootDir } from '@tripline/testkit/paths'
import { type ServiceName, serviceNames } from '@tripline/testkit/stack/services'
import { type Setting, serviceConfigs } from './service-configs.ts'

const pages = [
  'README.md',
  ...readdirSync(path.join(rootDir, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
]

const read = (page: string): string => readFileSync(path.join(rootDir, page), 'utf8')

/** The rows of the table below this heading, without its head. */
function tableBelow(page: string, heading: string): string[][] {
  const [, section = ''] = read(page).split(`${heading}\n`)
  const lines = section.split('\n## ')[0]?.match(/^\|.*\|$/gm) ?? []
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const unquoted = (cell = ''): string => cell.replaceAll('`', '')
const words = (cell = ''): string[] => cell.split(', ').filter((word) => word !== '')

describe('examples', () => {
  const bots = [
    { label: 'MyBot', market: 'futures' },
    { label: 'My Bot 2', market: 'futures' },
    { label: 'Spot1', market: 'spot' },
  ] as const
  const blocks = pages.flatMap((page) =>
    [...read(page).matchAll(/^```alert\n(.*?)^```/gms)].map((found) => found[1]),
  )
  const sent = pages.flatMap((page) =>
    [...read(page).matchAll(/curl .* -d '(.*)'/g)].map((found) => found[1]),
  )

  test.each([...blocks, ...sent])('%j can be read without a remark', (message = '') => {
    const reading = readMessage(message, bots)
    expect(reading.diagnostics).toEqual([])
    expect(reading.blocks.length).toBeGreaterThan(0)
  })
})

test.each(pages)('every link of %s leads somewhere, and to the heading it names', (page) => {
  const text = read(page).replaceAll(/^```.*?^```/gms, '')
  for (const [, name = '', target = ''] of text.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target)) continue
    const [file = '', anchor] = target.split('#')
    const place = path.resolve(rootDir, file === '' ? page : path.join(path.dirname(page), file))
    expect([target, statSync(place, { throwIfNoEntry: false }) !== undefined]).toEqual([target, true])
    const [, identifier] = /^`(\w+)`$/.exec(name) ?? []
    if (identifier !== undefined) expect(readFileSync(place, 'utf8')).toContain(identifier)
    if (anchor !== undefined) expect(anchorsOf(readFileSync(place, 'utf8'))).toContain(anchor)
  }
})

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

test('the page on the language has every command with its names and parameters (else run npm run docs)', () => {
  const rows = tableBelow('docs/commands.md', '## The commands').map(
    ([type, spellings, positional, named]) => ({
      type: unquoted(type),
      spellings: words(spellings),
      positional: words(positional),
      named: words(named),
    }),
  )
  expect(rows).toEqual(
    commandTable.map(({ type, spellings, positional, named }) => ({ type, spellings, positional, named })),
  )
})

test('the page on the language has every diagnostic (else run npm run docs)', () => {
  expect(Object.fromEntries(tableBelow('docs/commands.md', '## What can be wrong'))).toEqual(diagnosticCodes)
})

test.each(serviceNames)('docs/operations.md has every setting of %s with its default', (service) => {
  const rows = tableBelow('docs/operations.md', '## Settings')
  const documented = rows
    .filter(([, of = '']) => isOf(of, service))
    .map(([name, , fallback]): [string, string] => [unquoted(name), unquoted(fallback)])
  const settings = Object.entries(serviceConfigs[service].shape).map(([name, setting]): [string, string] => [
    name,
    fallbackOf(setting),
  ])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(settings))
})

function isOf(of: string, service: ServiceName): boolean {
  const [some = '', others = ''] = of.split(' but ')
  if (some !== 'all') return words(some).includes(service)
  return !words(others).includes(service)
}

function fallbackOf(setting: Setting): string {
  const { success, data } = setting.safeParse(undefined)
  if (!success) return 'required'
  if (data === undefined) return '-'
  return typeof data === 'string' ? data : JSON.stringify(data)
}
