import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { diagnosticCodes } from '@tripline/proto/error-code'
import { commandTable } from '@tripline/proto/language/command-table'
import { readManual, searchSections } from './sections.ts'

const guide = readFileSync(new URL('../../../../docs/commands.md', import.meta.url), 'utf8')
const sections = readManual(guide, 'Overview')

describe('the manual', () => {
  test('has a section of its own for each command, and a row for each code', () => {
    const anchors = sections.map(({ anchor }) => anchor)
    expect(anchors).toEqual(expect.arrayContaining(commandTable.map(({ type }) => type)))
    expect(new Set(anchors).size).toBe(anchors.length)
    const text = sections.map((section) => section.text).join('\n')
    for (const code of Object.keys(diagnosticCodes)) expect(text).toContain(`\n| ${code} | `)
  })

  test('begins with the text before its first heading', () => {
    expect(sections[0]).toMatchObject({ title: 'Overview', anchor: 'overview', level: 2 })
    expect(sections[0]?.text).toContain('A message names a bot and a symbol')
    expect(sections[0]?.text).not.toContain('# The alert language')
  })

  test('leads nowhere but within itself and to other sites, and shows no comment', () => {
    const text = sections.map((section) => section.text).join('\n')
    const targets = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target)
    expect(targets.filter((target) => !/^(https:|#)/.test(target ?? ''))).toEqual([])
    expect(text).not.toContain('<!--')
  })
})

describe('a search in the manual', () => {
  test('finds the sections that have all its words, in any case', () => {
    const found = searchSections(sections, 'HEDGE  spot')
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(sections.length)
  })

  test('leaves of a table the rows that it finds', () => {
    const found = searchSections(sections, 'e507').find(({ anchor }) => anchor === 'what-can-be-wrong')
    expect(found?.text).toContain('| E507 | stop on the wrong side |')
    expect(found?.text).not.toContain('| E508 |')
    expect(found?.text).toContain('| code | meaning |')
  })

  test('finds everything where there is none, and nothing where nobody says that', () => {
    expect(searchSections(sections, ' ')).toEqual(sections)
    expect(searchSections(sections, 'no such word anywhere')).toEqual([])
  })
})
