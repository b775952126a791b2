import { z } from 'zod'

export const Labels = z.record(z.string(), z.string())
export type Labels = z.infer<typeof Labels>

/** By which labels an object says which pods it is about. */
export const Selector = z.looseObject({
  matchLabels: Labels.default({}),
  matchExpressions: z
    .array(z.looseObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .default([]),
})
export type Selector = z.infer<typeof Selector>

/** Whether a selector is about a pod with these labels; an empty one is about every pod. */
export function selects({ matchLabels, matchExpressions }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  )
}
