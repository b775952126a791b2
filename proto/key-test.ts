import { z } from 'zod'

/** The points of a key test, in this order; points that a failed one makes pointless are left out. */
export const KeyCheckId = z.enum([
  'venue_reached',
  'clock_offset',
  'key_accepted',
  'may_trade',
  'withdrawal',
  'ip_restriction',
])
export type KeyCheckId = z.infer<typeof KeyCheckId>

/** One point of a key test; `fix` says what to do where it is not well. */
export const KeyCheck = z.object({
  id: KeyCheckId,
  ok: z.boolean().nullable().describe('null where the exchange does not report it'),
  message: z.string(),
  fix: z.string().nullable(),
})
export type KeyCheck = z.infer<typeof KeyCheck>

/** The findings of a key test; it succeeds when the bot can trade, also with a warning. */
export const KeyTest = z.object({
  success: z.boolean(),
  message: z.string(),
  error: z.string().nullable(),
  checks: z.array(KeyCheck),
})
export type KeyTest = z.infer<typeof KeyTest>

/** A test of a key that was made, and when. */
export const LastKeyTest = KeyTest.extend({ testedAt: z.iso.datetime() })
export type LastKeyTest = z.infer<typeof LastKeyTest>
