import { useListKeysQuery } from '../../shared/client.ts'

const none: string[] = []

/** The labels of the person's bots, as far as they are loaded. */
export function useBotLabels(): readonly string[] {
  const { labels } = useListKeysQuery(undefined, {
    selectFromResult: ({ data }) => ({ labels: data?.map(({ label }) => label) ?? none }),
  })
  return labels
}
