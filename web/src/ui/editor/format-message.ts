import { formatBlocks } from '@tripline/proto/language/format-blocks'
import type { KnownBot } from '@tripline/proto/language/label'
import { noteBlocks } from '@tripline/proto/language/notation'
import { readMessage } from '@tripline/proto/language/read-message'
import type { Block } from '@tripline/proto/language/tree'
import { spansOf } from '../../shared/message-spans.ts'

/**
 * The message with its blocks in their canonical form, what is around them left as it is. Blocks with comments stay as
 * they are, and so does a message that is refused: nothing that was written is lost.
 */
export function formatMessage(message: string, bots: readonly KnownBot[]): string {
  const { blocks } = readMessage(message, bots)
  const comments = spansOf(message).filter(({ kind }) => kind === 'comment')
  const plain = blocks.filter(
    ({ span }) => !comments.some(({ offset }) => offset >= span.offset && offset < span.offset + span.length),
  )
  const formatted = plain.reduceRight(withFormatted, message)
  return saysTheSame(formatted, blocks, bots) ? formatted : message
}

function withFormatted(message: string, block: Block): string {
  const { offset, length } = block.span
  // The span of a quoted label begins behind its quote.
  const start = message.charAt(offset - 1) === '"' ? offset - 1 : offset
  return message.slice(0, start) + formatBlocks([block]) + message.slice(offset + length)
}

function saysTheSame(message: string, blocks: readonly Block[], bots: readonly KnownBot[]): boolean {
  const reread = readMessage(message, bots).blocks
  return JSON.stringify(noteBlocks(reread)) === JSON.stringify(noteBlocks(blocks))
}
