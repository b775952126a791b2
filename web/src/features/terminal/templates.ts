import type { KnownBot } from '@tripline/proto/language/label'
import { closeCommand, protectCommands } from '../../shared/exit-commands.ts'
import { quickActionTexts } from './texts.ts'

const symbol = 'BTCUSDT'
const amount = '0.01'

/** A message for this bot with nothing to do yet; the cursor belongs at `bodyOffset`. */
export function emptyTemplate(label: string): { message: string; bodyOffset: number } {
  const opening = `${label}(${symbol}) {\n  `
  return { message: `${opening}\n}`, bodyOffset: opening.length }
}

/** A ready message. */
export interface QuickAction {
  title: string
  tone: 'success' | 'failed' | 'partial' | 'accent'
  message: string
}

/** The ready messages for a bot; on spot there is no leverage to set, and nothing to sell that was not bought. */
export function quickActionsOf({ label, market }: KnownBot): QuickAction[] {
  const entry = [`market(buy, ${amount})`, protectCommands[market]]
  const long = market === 'spot' ? entry : ['exchangeSettings(leverage=10)', ...entry]
  return [
    {
      title: market === 'spot' ? quickActionTexts.longSpot : quickActionTexts.long,
      tone: 'success',
      message: `${label}(${symbol}) {\n${long.map((command) => `  ${command}`).join('\n')}\n}`,
    },
    ...(market === 'spot' ? [] : [shortOf(label)]),
    { title: quickActionTexts.close, tone: 'partial', message: oneCommand(label, closeCommand) },
    { title: quickActionTexts.balance, tone: 'accent', message: oneCommand(label, 'balance()') },
  ]
}

function shortOf(label: string): QuickAction {
  return {
    title: quickActionTexts.short,
    tone: 'failed',
    message: oneCommand(label, `market(sell, ${amount})`),
  }
}

function oneCommand(label: string, command: string): string {
  return `${label}(${symbol}) { ${command} }`
}
