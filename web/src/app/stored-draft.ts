import { messageChanged, selectMessage, selectResponses } from '../features/terminal/terminal-slice.ts'
import { api } from '../shared/api.ts'
import { storageKeys } from '../shared/storage-keys.ts'
import { storeText } from '../shared/store-text.ts'
import { draftFor, draftText } from './draft.ts'
import { store } from './store.ts'

const selectMe = api.endpoints.getMe.select()

/** Whether the terminal holds nothing that a new page would not have. */
export function isNothingWritten(): boolean {
  const state = store.getState()
  return selectMessage(state).trim() === '' && selectResponses(state).length === 0
}

/** Loads the page anew; the message that is being written in the terminal comes along. */
export function reloadWithDraft(): void {
  keepDraft()
  location.reload()
}

/** Keeps the message that is being written in the terminal, for its person only, beyond this page. */
export function keepDraft(): void {
  const state = store.getState()
  const message = selectMessage(state)
  const userId = selectMe(state).data?.id
  if (userId === undefined || message.trim() === '') return
  storeText(sessionStorage, storageKeys.draft, draftText(userId, message))
}

/** Takes up the message that this person left when the page before this one ended, unless something is written by now. */
export function takeUpDraft(userId: string): void {
  const draft = draftFor(userId, sessionStorage.getItem(storageKeys.draft))
  sessionStorage.removeItem(storageKeys.draft)
  if (draft && selectMessage(store.getState()).trim() === '') store.dispatch(messageChanged(draft))
}
