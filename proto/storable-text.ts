import { z } from 'zod'

/** Text that a database column can hold: at most 512 characters, none of them NUL. */
export const StorableText = z
  .string()
  .max(512)
  .refine((text) => !text.includes('\0'), 'must not contain the NUL character')
