import { onlyExits } from '@tripline/proto/exit'
import type { Block } from '@tripline/proto/language/tree'
import type { Webhook } from './webhook.ts'

/** True for an alert that closes or cancels something and, by its words, opens nothing. */
export function isExitAlert(blocks: readonly Block[], botsByLabel: Webhook['botsByLabel']): boolean {
  const endsSomething = blocks.some(({ commands }) => commands.some(({ type }) => type !== 'balance'))
  return (
    endsSomething &&
    blocks.every(({ label, commands }) => {
      const market = botsByLabel.get(label)?.marketType === 'spot' ? 'spot' : 'linear'
      return commands.every((command) => onlyExits(command, market))
    })
  )
}
