import { isExitMessage } from '@tripline/proto/exit'
import type { Block } from '@tripline/proto/language/tree'
import type { Webhook } from './webhook.ts'

/** True for an alert that closes, cancels or protects something and, by its words, opens nothing. */
export function isExitAlert(blocks: readonly Block[], botsByLabel: Webhook['botsByLabel']): boolean {
  return isExitMessage(
    blocks.map(({ label, commands }) => ({
      commands,
      market: botsByLabel.get(label)?.marketType === 'spot' ? 'spot' : 'linear',
    })),
  )
}
