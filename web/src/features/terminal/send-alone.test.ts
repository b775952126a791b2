import { expect, test } from '@jest/globals'
import { configureStore } from '@reduxjs/toolkit'
import { sendAlone } from './send-alone.ts'
import { selectIsSending, terminalSlice } from './terminal-slice.ts'

const newStore = () => configureStore({ reducer: { terminal: terminalSlice.reducer } })

test('a message is not sent again while it is on its way, whichever screen asks', async () => {
  const store = newStore()
  const answered = Promise.withResolvers<void>()
  let sent = 0
  const send = () => {
    sent += 1
    return answered.promise
  }
  const first = sendAlone(store, send)
  await sendAlone(store, send)
  expect([sent, selectIsSending(store.getState())]).toEqual([1, true])
  answered.resolve()
  await first
  await sendAlone(store, send)
  expect([sent, selectIsSending(store.getState())]).toEqual([2, false])
})

test('the next one may be sent after one that broke', async () => {
  const store = newStore()
  await expect(sendAlone(store, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(selectIsSending(store.getState())).toBe(false)
})
