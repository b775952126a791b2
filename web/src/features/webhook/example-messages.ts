import type { KnownBot } from '@tripline/proto/language/label'
import { closeCommand, protectCommands } from '../../shared/exit-commands.ts'
import { webhookTexts } from './texts.ts'

const { messages } = webhookTexts

/** A message that can be pasted as it is. */
export interface ExampleMessage {
  name: string
  message: string
}

const entry = 'market(buy, 10%b)'
const twoExits = ['oco {', '  stop(sell, 100%, -1%)', '  limit(sell, 100%, +2%)', '}']

/** A bot that messages are for before there is one. */
export const sampleBot: KnownBot = { label: 'MyBot', market: 'futures' }

/** The bot that messages are for: the chosen one, or the first; undefined while the bots are not known. */
export function botFor(bots: readonly KnownBot[] | undefined, chosen?: string): KnownBot | undefined {
  if (bots === undefined) return undefined
  return bots.find(({ label }) => label === chosen) ?? bots[0] ?? sampleBot
}

/** Messages for this bot, in the forms that are right on its market. */
export function exampleMessages({ label, market }: KnownBot): ExampleMessage[] {
  const bodies = [
    { name: messages.enter, lines: [entry] },
    { name: messages.protect, lines: [entry, protectCommands[market]] },
    { name: messages.bracket, lines: [entry, ...twoExits] },
    { name: messages.close, lines: [closeCommand] },
  ]
  return bodies.map(({ name, lines }) => ({
    name,
    message: `${label}(BTCUSDT) {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`,
  }))
}
