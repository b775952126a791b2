import { formatBlocks } from '@tripline/proto/language/format-blocks'
import { readMessage } from '@tripline/proto/language/read-message'
import { webhookTexts } from './texts.ts'

const { messages } = webhookTexts

/** A message that can be pasted as it is. */
export interface ExampleMessage {
  name: string
  message: string
}

const bodies = [
  { name: messages.enter, body: 'market(buy, 0.01)' },
  { name: messages.protect, body: 'market(buy, 0.01); sltp(amount=100%p, sl=1%, tp=2%)' },
  {
    name: messages.bracket,
    body: 'market(buy, 0.01); oco { stop(sell, 100%p, -1%); limit(sell, 100%p, +2%) }',
  },
  { name: messages.close, body: 'market(position=0)' },
]

/** What a bot is called in messages before there is one. */
export const sampleLabel = 'MyBot'

/** The bot that messages are for: the chosen one, or the first; undefined while the bots are not known. */
export function labelFor(labels: readonly string[] | undefined, chosen?: string): string | undefined {
  if (labels === undefined) return undefined
  return chosen ?? labels[0] ?? sampleLabel
}

/** Messages for this bot, in the form that the language itself gives them. */
export function exampleMessages(label: string): ExampleMessage[] {
  return bodies.map(({ name, body }) => {
    const { blocks } = readMessage(`${label}(BTCUSDT) { ${body} }`, [{ label, market: 'futures' }])
    return { name, message: formatBlocks(blocks) }
  })
}
