import { configureStore } from '@reduxjs/toolkit'
import { setupListeners } from '@reduxjs/toolkit/query'
import { terminalSlice } from '../features/terminal/terminal-slice.ts'
import { api } from '../shared/api.ts'

/** The app's whole state: what the server said, and what the terminal holds. */
export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer, [terminalSlice.reducerPath]: terminalSlice.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
})

setupListeners(store.dispatch)
