import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { alertFormats } from '@tripline/proto/language/formats/alert-format'
import { foreignFormats } from '@tripline/proto/language/formats/formats'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { rootDir } from '@tripline/testkit/paths'

const page = readFileSync(path.join(rootDir, 'docs/alert-formats.md'), 'utf8')

test('the page on formats lists each of them', () => {
  const [list = ''] = page.split('\n## ')
  expect([...list.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual([...alertFormats])
})

test.each(Object.values(foreignFormats))('the page explains every field of $name', (format) => {
  const [, section = ''] = page.split(`\n## ${format.title}\n`)
  const rows = section.split('\n## ')[0]?.match(/^\| `.*\|$/gm) ?? []
  const fields = Object.entries(format.fields)
  expect(rows).toEqual(fields.map(([field, { use, note }]) => `| \`${field}\` | ${use} | ${note} |`))
  for (const source of format.sources) expect(section).toContain(source)
})

test('the example of our JSON is read without a remark', () => {
  const [, example = ''] = /^```json\n(.*?)^```/ms.exec(page) ?? []
  const { blocks, diagnostics, id } = readAlert(example, 'tripline', [{ label: 'MyBot', market: 'futures' }])
  expect({ count: blocks.length, diagnostics, id }).toEqual({
    count: 1,
    diagnostics: [],
    id: 'golden-cross-17',
  })
})
