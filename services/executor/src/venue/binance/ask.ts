import type { AccountReading } from '../../domain/account.ts'
import type { LookUp, Reading, VenueOrder } from '../../domain/order.ts'
import { withDeadline } from '../with-deadline.ts'
import { causeOf } from './cause.ts'
import { type Codes, orderAbsent, refusalIn } from './codes.ts'

/** How long the venue may take to tell something. */
export const readDeadlineMs = 5000

/** What the answer to a question for an order means. */
export async function lookUp(
  answer: Promise<unknown>,
  readOrder: (answer: unknown) => VenueOrder,
): Promise<LookUp> {
  try {
    return { outcome: 'found', order: readOrder(await withDeadline(answer, readDeadlineMs)) }
  } catch (error) {
    if (refusalIn(error)?.code === orderAbsent) return { outcome: 'absent' }
    return { outcome: 'unreachable', cause: causeOf(error) }
  }
}

/** What the answers that make up a reading of the account mean. */
export async function readWith<Answers>(
  answers: Promise<Answers>,
  readAccount: (answers: Answers) => AccountReading,
  codes: Codes,
): Promise<Reading> {
  try {
    return { outcome: 'read', account: readAccount(await withDeadline(answers, readDeadlineMs)) }
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined) return { outcome: 'refused', ...codes.meaningOf(refusal) }
    return { outcome: 'unreachable', cause: causeOf(error) }
  }
}
