import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { KnownBot } from './label.ts'
import { noteBlocks } from './notation.ts'
import { readMessage } from './read-message.ts'

interface Vector {
  id: string
  in: string
  ast?: unknown[]
  diag?: string[]
  err?: string[]
  hint?: { suggest?: string; param?: string }
}

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'ByBot', market: 'futures' },
  { label: 'My-Bot2', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

const vectors = readFileSync(new URL('vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Vector => JSON.parse(line))

describe('every vector reads as it says', () => {
  test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
    const { blocks, diagnostics } = readMessage(vector.in, bots)
    const codes = [...new Set(diagnostics.map(({ code }) => code))].sort()
    expect({ tree: noteBlocks(blocks), codes }).toEqual({
      tree: vector.ast ?? [],
      codes: [...(vector.err ?? vector.diag ?? [])].sort(),
    })
    const { suggest, param } = vector.hint ?? {}
    if (suggest) expect(diagnostics.map(({ suggestion }) => suggestion)).toContain(suggest)
    if (param) expect(diagnostics[0]?.parameter).toBe(param)
  })
})
