import { z } from 'zod'

const VenueAccount = z.object({ apiKey: z.string(), secret: z.string() })
/** What an account at the venue is used with. */
export type VenueAccount = z.infer<typeof VenueAccount>

/** Opens an account at the venue, as a paper exchange plays it, with these balances or enough for small orders. */
export async function newVenueAccount(
  paperUrl: string,
  balances?: Record<string, string>,
): Promise<VenueAccount> {
  const response = await fetch(`${paperUrl}/control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ balances }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The venue opened no account: ${response.status} ${text}`)
  return VenueAccount.parse(JSON.parse(text))
}
