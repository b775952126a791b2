import type { KnownBot } from '@tripline/proto/language/label'
import { closeCommand, protectCommands } from '../../shared/exit-commands.ts'
import { type BotHoldings, flattenMessage } from '../../shared/exit-messages.ts'
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

/**
 * The ready messages for a bot; on spot there is no leverage to set, and nothing to sell that was not bought. All positions
 * are those that the account is known to have; where nothing is known, that of the usual symbol.
 */
export function quickActionsOf({ label, market }: KnownBot, holdings?: BotHoldings): QuickAction[] {
  const entry = [`market(buy, ${amount})`, protectCommands[market]]
  const long = market === 'spot' ? entry : ['exchangeSettings(leverage=10)', ...entry]
  return [
    {
      title: market === 'spot' ? quickActionTexts.longSpot : quickActionTexts.long,
      tone: 'success',
      message: `${label}(${symbol}) {\n${long.map((command) => `  ${command}`).join('\n')}\n}`,
    },
    ...(market === 'spot' ? [] : [shortOf(label)]),
    {
      title: quickActionTexts.close,
      tone: 'partial',
      message: (holdings && flattenMessage({ label, market }, holdings)) ?? oneCommand(label, closeCommand),
    },
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
