import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { OverallStatus } from '@tripline/proto/alert'
import { awaits, type ResponseRecord } from './response-record.ts'

interface TerminalState {
  /** The label of the bot whose chip is selected. */
  label: string | null
  message: string
  /** Newest first. */
  responses: ResponseRecord[]
}

const keptResponses = 100

const initialState: TerminalState = { label: null, message: '', responses: [] }

/** What the terminal holds while the app is open. */
export const terminalSlice = createSlice({
  name: 'terminal',
  initialState,
  reducers: {
    botSelected: (state, { payload }: PayloadAction<{ label: string; message: string }>) => {
      state.label = payload.label
      state.message = payload.message
    },
    messageChanged: (state, { payload }: PayloadAction<string>) => {
      state.message = payload
    },
    responseReceived: (state, { payload }: PayloadAction<ResponseRecord>) => {
      state.responses = [payload, ...state.responses].slice(0, keptResponses)
    },
    responsesCleared: (state) => {
      state.responses = []
    },
    executionDone: (state, { payload }: PayloadAction<{ executionId: string; status: OverallStatus }>) => {
      for (const record of state.responses) {
        if (awaits(record, payload.executionId)) record.settled[payload.executionId] = payload.status
      }
    },
  },
  selectors: {
    selectLabel: ({ label }) => label,
    selectMessage: ({ message }) => message,
    selectResponses: ({ responses }) => responses,
  },
})

export const { botSelected, messageChanged, responseReceived, responsesCleared, executionDone } =
  terminalSlice.actions
export const { selectLabel, selectMessage, selectResponses } = terminalSlice.selectors
