import type { Store } from '@reduxjs/toolkit'
import { selectIsSending, sendingBegan, sendingEnded } from './terminal-slice.ts'

/** A state that the terminal is a part of. */
export type WithTerminal = Parameters<typeof selectIsSending>[0]

/** Does this unless a message is on its way already: a second press must not send it twice, from wherever it comes. */
export async function sendAlone(store: Store<WithTerminal>, send: () => Promise<void>): Promise<void> {
  if (selectIsSending(store.getState())) return
  store.dispatch(sendingBegan())
  await send().finally(() => store.dispatch(sendingEnded()))
}
