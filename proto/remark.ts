import { z } from 'zod'

/** A warning or a note that a result carries, with its code. */
export interface Remark {
  code: string
  text: string
}

const Warned = z.object({ warnings: z.array(z.object({ code: z.string(), text: z.string() })) })
const Noted = z.object({ code: z.string().regex(/^N\d+$/), note: z.string() })
/** The place of remarks in the result of several orders. */
const Several = z.object({
  stopLoss: z.unknown().optional(),
  takeProfit: z.unknown().optional(),
  orders: z.array(z.unknown()).optional(),
  undone: z.array(z.unknown()).optional(),
})

/** All that the result of a command remarks: the warnings of each of its orders, and that there was nothing to do. */
export function remarksIn(result: unknown): Remark[] {
  const { stopLoss, takeProfit, orders = [], undone = [] } = Several.safeParse(result).data ?? {}
  const note = Noted.safeParse(result).data
  const all = [result, stopLoss, takeProfit, ...orders, ...undone].flatMap(
    (order) => Warned.safeParse(order).data?.warnings ?? [],
  )
  if (note !== undefined) all.push({ code: note.code, text: note.note })
  return all.filter(
    ({ code, text }, index) => index === all.findIndex((one) => one.code === code && one.text === text),
  )
}
