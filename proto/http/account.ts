import { z } from 'zod'
import { AccountReading } from '../account.ts'
import { BotId } from '../id.ts'

/** The query of `GET /api/accounts`. */
export const AccountsQuery = z.object({
  api_key_id: BotId.optional().describe('the account of this API key alone'),
})

/** `GET /api/accounts`; one that cannot be read says why, and the others are as they are. */
export const AccountsView = z.object({ accounts: z.array(AccountReading) })
export type AccountsView = z.infer<typeof AccountsView>
