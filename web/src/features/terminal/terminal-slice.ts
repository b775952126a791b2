import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { ExecutionEnd } from './execution-ends.ts'
import type { ResponseRecord } from './response-record.ts'

interface TerminalState {
  /** The label of the bot whose chip is selected. */
  label: string | null
  message: string
  /** What the last Quick Action put into the editor. */
  quickMessage: string | null
  /** The person said in this session that Quick Actions may trade with real money. */
  mainnetAllowed: boolean
  /** A message is on its way, or about to be; here, since it goes on while another screen is looked at. */
  isSending: boolean
  /** Newest first. */
  responses: ResponseRecord[]
}

const keptResponses = 100

const initialState: TerminalState = {
  label: null,
  message: '',
  quickMessage: null,
  mainnetAllowed: false,
  isSending: false,
  responses: [],
}

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
    quickActionChosen: (state, { payload }: PayloadAction<string>) => {
      state.message = payload
      state.quickMessage = payload
    },
    mainnetAllowed: (state) => {
      state.mainnetAllowed = true
    },
    sendingBegan: (state) => {
      state.isSending = true
    },
    sendingEnded: (state) => {
      state.isSending = false
    },
    responseReceived: (state, { payload }: PayloadAction<ResponseRecord>) => {
      state.responses = [payload, ...state.responses].slice(0, keptResponses)
    },
    responsesCleared: (state) => {
      state.responses = []
    },
    executionsEnded: (state, { payload }: PayloadAction<readonly ExecutionEnd[]>) => {
      for (const { acceptedAlert, settled } of state.responses) {
        for (const { executionId, status } of payload) {
          if (alertIdOf(executionId) === acceptedAlert?.id) settled[executionId] = status
        }
      }
    },
  },
  selectors: {
    selectLabel: ({ label }) => label,
    selectMessage: ({ message }) => message,
    selectIsSending: ({ isSending }) => isSending,
    selectResponses: ({ responses }) => responses,
    /** Whether the message is a Quick Action as it was filled in, and nobody was asked about real money yet. */
    selectAsksForMainnet: ({ message, quickMessage, mainnetAllowed }) =>
      message === quickMessage && !mainnetAllowed,
  },
})

export const {
  botSelected,
  messageChanged,
  quickActionChosen,
  mainnetAllowed,
  sendingBegan,
  sendingEnded,
  responseReceived,
  responsesCleared,
  executionsEnded,
} = terminalSlice.actions
export const { selectLabel, selectMessage, selectIsSending, selectResponses, selectAsksForMainnet } =
  terminalSlice.selectors

/** The alert of an execution; its own where it stands for the whole alert. */
function alertIdOf(executionId: string): string {
  return executionId.replace(/-.*/, '')
}
