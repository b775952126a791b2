import { texts } from '../../shared/texts.ts'

const symbol = 'BTCUSDT'
const amount = '0.01'

/** A message for this bot with nothing to do yet; the cursor belongs at `bodyOffset`. */
export function emptyTemplate(label: string): { message: string; bodyOffset: number } {
  const opening = `${label}(${symbol}) {\n  `
  return { message: `${opening}\n}`, bodyOffset: opening.length }
}

/** One-click messages, each for the bot that is selected. */
export const quickActions = [
  { title: texts.quickAction.short, tone: 'failed', command: `market(sell, ${amount})` },
  { title: texts.quickAction.close, tone: 'partial', command: 'market(position=0)' },
  { title: texts.quickAction.balance, tone: 'accent', command: 'balance()' },
] as const

/** A message that has this bot run one command. */
export function commandMessage(label: string, command: string): string {
  return `${label}(${symbol}) { ${command} }`
}
