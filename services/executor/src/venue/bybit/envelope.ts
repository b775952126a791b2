import { z } from 'zod'
import { spare, Text, Whole } from '../read/read-fields.ts'
import { Acknowledgement } from './answers.ts'

/** An answer of the venue, over HTTP or over the socket for orders. */
export interface Envelope {
  /** The venue's number; 0 for success. */
  code: number
  /** Its text, with the reasons that stand beside it. */
  words: string
  result: unknown
}

const Reasons = z.object({ reasons: z.array(z.object({ reasonMsg: Text })) })

const Answer = z.object({
  retCode: Whole.nullish(),
  retMsg: spare('retMsg', Text, ''),
  result: z.unknown().optional(),
  data: z.unknown().optional(),
})

/** Reads an answer; throws where it says neither a number nor the id of an order. */
export function readEnvelope(answer: unknown): Envelope {
  const { retCode, retMsg, data, result = data } = Answer.parse(answer)
  // "Set Margin Mode" of the documentation: the words name no cause, the reasons do.
  const reasons = Reasons.safeParse(result).data?.reasons.map(({ reasonMsg }) => reasonMsg) ?? []
  const words = [retMsg, ...reasons].filter((text) => text !== '').join(': ')
  if (retCode === undefined || retCode === null) Acknowledgement.parse(result)
  return { code: retCode ?? 0, words, result }
}
