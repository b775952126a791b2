import { RefusedError } from '@tripline/kit/refused-error'
import { BotId } from '@tripline/proto/id'
import { z } from 'zod'

/** The place of a key's id in a path; what is no id is not found, like the id of somebody else's key. */
export const KeyParams = z.object({ id: z.string() })

/** The id in the path. */
export function botIdOf({ params }: { params: { id: string } }): BotId {
  const botId = BotId.safeParse(params.id)
  if (!botId.success) throw new RefusedError('not_found', 'API key not found')
  return botId.data
}
