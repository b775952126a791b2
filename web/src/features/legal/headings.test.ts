import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { headingsOf } from './headings.ts'

test('headings of the second level become a table of contents', () => {
  expect(
    headingsOf('# Title\n\n## 1. What it does\n\ntext ## no heading\n\n### Deeper\n\n## Risk & law\n'),
  ).toEqual([
    { text: '1. What it does', anchor: '1-what-it-does' },
    { text: 'Risk & law', anchor: 'risk-law' },
  ])
})

describe.each(['terms', 'privacy'])('the %s', (name) => {
  const text = readFileSync(new URL(`${name}.md`, import.meta.url), 'utf8')

  test('have headings with anchors of their own', () => {
    const anchors = headingsOf(text).map(({ anchor }) => anchor)
    expect(anchors.length).toBeGreaterThan(8)
    expect(new Set(anchors).size).toBe(anchors.length)
  })
})
