import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatBlocks } from './format-blocks.ts'
import { readMessage } from './read-message.ts'
import { anyBlocks, knownBots, plainBlocks } from './test/any-blocks.ts'
import type { Block } from './tree.ts'

/** The text of a tree that no message has given; printing asks for no places. */
function printed(blocks: unknown): string {
  return formatBlocks(blocks as Block[])
}

test('any tree prints and is read back as itself, and prints the same again', () => {
  fc.assert(
    fc.property(anyBlocks, (tree) => {
      const text = printed(tree)
      const { blocks, diagnostics } = readMessage(text, knownBots)
      expect(diagnostics.filter(({ code }) => code !== 'W702')).toEqual([])
      expect(plainBlocks(blocks)).toEqual(tree)
      expect(formatBlocks(blocks)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

const junk = '(){},;=\'"#/*@$%- \n.0159eabpqx{}'

test('any change of a valid message leaves a valid tree, or an error that stands in the text', () => {
  const change = fc.record({
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(5),
    by: fc.oneof(fc.constant(''), fc.string({ unit: fc.constantFrom(...junk), maxLength: 4 })),
  })
  fc.assert(
    fc.property(anyBlocks, fc.array(change, { minLength: 1, maxLength: 3 }), (tree, changes) => {
      const message = changes.reduce((text, { share, length, by }) => {
        const at = Math.floor(share * text.length)
        return text.slice(0, at) + by + text.slice(at + length)
      }, printed(tree))
      const { blocks, diagnostics } = readMessage(message, knownBots)
      const errors = diagnostics.filter(({ code }) => code.startsWith('E'))
      const isWithin = errors.every(({ span }) => span.offset + span.length <= message.length)
      expect(isWithin).toBe(true)
      if (errors.length > 0) expect(blocks).toEqual([])
      else
        expectValid(
          blocks,
          diagnostics.map(({ code }) => code),
        )
    }),
    { numRuns: 1000 },
  )
})

function expectValid(blocks: readonly Block[], codes: string[]): void {
  if (blocks.length === 0) expect(codes).toContain('N801')
  const again = readMessage(formatBlocks(blocks), knownBots)
  expect(plainBlocks(again.blocks)).toEqual(plainBlocks(blocks))
}
