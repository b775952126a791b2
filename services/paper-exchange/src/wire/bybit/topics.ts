import type { Category } from './category.ts'

/** The topics of the private stream. */
export type PrivateTopic = 'order' | 'execution' | 'execution.fast' | 'position' | 'wallet'

const CATEGORIES = ['linear', 'spot', 'inverse', 'option'] as const
const BY_CATEGORY: readonly PrivateTopic[] = ['order', 'execution', 'execution.fast', 'position']

// Of what the venue lists nothing, a subscription is taken and nothing follows.
const TOPICS: ReadonlySet<string> = new Set([
  ...['wallet', 'greeks', 'dcp.future', 'dcp.spot'],
  ...BY_CATEGORY.flatMap((kind) => [kind, ...CATEGORIES.map((category) => `${kind}.${category}`)]),
])

/** Why these topics cannot be subscribed to together, or undefined where they can. */
export function wrongTopics(topics: readonly string[]): string | undefined {
  if (topics.length === 0) return 'Params Error'
  const kinds = new Map<string, 'all' | 'one'>()
  for (const topic of topics) {
    if (!TOPICS.has(topic)) return `error:handler not found,topic:${topic}`
    const [kind, scope] = splitTopic(topic)
    if ((kinds.get(kind) ?? scope) !== scope)
      return `error:all-in-one and categorised topics conflict,topic:${topic}`
    kinds.set(kind, scope)
  }
  return undefined
}

function splitTopic(topic: string): readonly [kind: string, scope: 'all' | 'one'] {
  const category = CATEGORIES.find((one) => topic.endsWith(`.${one}`))
  return category ? [topic.slice(0, -category.length - 1), 'one'] : [topic, 'all']
}

/** Returns the topics among these under which an event of this kind and category is sent. */
export function topicsFor(
  subscribed: ReadonlySet<string>,
  kind: PrivateTopic,
  category: Category | undefined,
): string[] {
  const names = category === undefined ? [kind] : [kind, `${kind}.${category}`]
  return names.filter((name) => subscribed.has(name))
}
