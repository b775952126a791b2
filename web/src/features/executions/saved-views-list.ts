import { z } from 'zod'

const SavedView = z.object({
  /** The user whose it is: others may use this browser, too. */
  owner: z.string(),
  name: z.string(),
  /** Filters and order, as an address has them. */
  view: z.string(),
})
/** Filters and an order under a name, stored in this browser. */
export type SavedView = z.infer<typeof SavedView>

export const longestViewName = 40
const mostViews = 20

/** The views as they were stored; none where nothing readable was. */
export function readViews(stored: string | null): SavedView[] {
  if (stored === null) return []
  try {
    return z.array(SavedView).parse(JSON.parse(stored))
  } catch {
    return []
  }
}

/** The views with this one last; one of its owner and name gives way to it, and the oldest where there are too many. */
export function withView(views: readonly SavedView[], added: SavedView): SavedView[] {
  const others = withoutView(views, added)
  const surplus = others.filter(({ owner }) => owner === added.owner).slice(0, -(mostViews - 1))
  return [...others.filter((view) => !surplus.includes(view)), added]
}

/** The views without the one of this owner and name. */
export function withoutView(
  views: readonly SavedView[],
  { owner, name }: Pick<SavedView, 'owner' | 'name'>,
): SavedView[] {
  return views.filter((view) => view.owner !== owner || view.name !== name)
}
