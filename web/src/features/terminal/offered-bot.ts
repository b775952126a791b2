import type { KeyView } from '@tripline/proto/http/key'
import { isAble } from '../../shared/able-key.ts'

type Key = Pick<KeyView, 'label' | 'problem' | 'last_test'>

/**
 * The label of the bot that nobody has to choose: the only one that can trade, or the only one there is; null where there
 * are several. The one that was offered before stays as long as it can trade.
 */
export function offeredBot(keys: readonly Key[], before: string | null): string | null {
  const able = keys.filter(isAble)
  if (able.some(({ label }) => label === before)) return before
  const [only, ...others] = able.length > 0 ? able : keys
  return others.length === 0 ? (only?.label ?? null) : null
}
