import { useState } from 'react'
import { storageKeys } from '../../shared/storage-keys.ts'
import { storeText } from '../../shared/store-text.ts'
import { tokenSubject } from '../../shared/token-subject.ts'
import { accessToken } from '../../shared/tokens.ts'
import { readViews, type SavedView, withoutView, withView } from './saved-views-list.ts'

/** The person's saved views in this browser, and what can be done with them. */
export function useSavedViews() {
  const [views, setViews] = useState(readStored)
  const owner = tokenSubject(accessToken()) ?? ''
  function change(next: (views: readonly SavedView[]) => SavedView[]): boolean {
    // Read again, since another tab may have changed them.
    const changed = next(readStored())
    setViews(changed)
    return storeText(localStorage, storageKeys.savedViews, JSON.stringify(changed))
  }
  return {
    views: views.filter((view) => view.owner === owner),
    /** Returns whether the browser keeps it. */
    save: (name: string, view: string) => change((before) => withView(before, { owner, name, view })),
    remove: (name: string) => change((before) => withoutView(before, { owner, name })),
  }
}

function readStored(): SavedView[] {
  return readViews(localStorage.getItem(storageKeys.savedViews))
}
