import { messageChanged, selectMessage, selectResponses } from '../features/terminal/terminal-slice.ts'
import { storageKeys } from '../shared/storage-keys.ts'
import { store } from './store.ts'

/** Whether the terminal holds nothing that a new page would not have. */
export function isNothingWritten(): boolean {
  const state = store.getState()
  return selectMessage(state).trim() === '' && selectResponses(state).length === 0
}

/** Loads the page anew; the message that is being written in the terminal comes along. */
export function reloadWithDraft(): void {
  sessionStorage.setItem(storageKeys.draft, selectMessage(store.getState()))
  location.reload()
}

/** Takes up the message that the page before this one left. */
export function takeUpDraft(): void {
  const draft = sessionStorage.getItem(storageKeys.draft)
  sessionStorage.removeItem(storageKeys.draft)
  if (draft) store.dispatch(messageChanged(draft))
}
