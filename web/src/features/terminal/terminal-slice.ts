import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { ExecutionEnd } from './execution-ends.ts'
import type { ResponseRecord } from './response-record.ts'

/** A bot with a message for it that has nothing to do yet. */
interface Selection {
  label: string
  message: string
}

/** A message that another screen brings along. */
export interface CarriedMessage {
  message: string
  /** It is a Quick Action, before which real money is asked about. */
  isQuickAction?: boolean | undefined
}

interface TerminalSlice {
  /** The label of the bot whose chip is selected. */
  label: string | null
  /** The person has not selected it: it was the only one that could trade. */
  isLabelOffered: boolean
  message: string
  /** The text that the last chip put into the editor. */
  template: string | null
  /** The text that the last Quick Action put into the editor. */
  quickMessage: string | null
  /** The message that another screen brought along, until its bot is selected. */
  carried: string | null
  /** The person said in this session that Quick Actions may trade with real money. */
  mainnetAllowed: boolean
  /** A message is on its way, or about to be; here, since it goes on while another screen is looked at. */
  isSending: boolean
  /** Newest first. */
  responses: ResponseRecord[]
}

const mostResponses = 100

const initialState: TerminalSlice = {
  label: null,
  isLabelOffered: true,
  message: '',
  template: null,
  quickMessage: null,
  carried: null,
  mainnetAllowed: false,
  isSending: false,
  responses: [],
}

/** The terminal's state while the app is open. */
export const terminalSlice = createSlice({
  name: 'terminal',
  initialState,
  reducers: {
    botSelected: (state, { payload }: PayloadAction<Selection>) => {
      state.label = payload.label
      state.isLabelOffered = false
      state.message = payload.message
      state.template = payload.message
    },
    /** With one bot that can trade there is nothing to choose; null where there is something, or no bot. */
    botOffered: (state, { payload }: PayloadAction<string | null>) => {
      if (state.isLabelOffered) state.label = payload
    },
    /** A bot that is new is selected, too, but what the person wrote stays. */
    botLinked: (state, { payload: { label, message } }: PayloadAction<Selection>) => {
      state.label = label
      state.isLabelOffered = false
      if (state.message.trim() !== '' && state.message !== state.template) return
      state.message = message
      state.template = message
    },
    messageChanged: (state, { payload }: PayloadAction<string>) => {
      state.message = payload
    },
    quickActionChosen: (state, { payload }: PayloadAction<string>) => {
      state.isLabelOffered = false
      state.message = payload
      state.quickMessage = payload
    },
    messageCarried: (state, { payload: { message, isQuickAction } }: PayloadAction<CarriedMessage>) => {
      state.message = message
      state.carried = message
      if (isQuickAction) state.quickMessage = message
    },
    /** Selects the bot that a carried message names, if it names one. */
    carriedNamed: (state, { payload }: PayloadAction<string | undefined>) => {
      state.carried = null
      if (payload === undefined) return
      state.label = payload
      state.isLabelOffered = false
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
      state.responses = [payload, ...state.responses].slice(0, mostResponses)
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
    selectCarried: ({ carried }) => carried,
    selectIsSending: ({ isSending }) => isSending,
    selectResponses: ({ responses }) => responses,
    /** Whether the message is a Quick Action as it was filled in, and nobody was asked about real money yet. */
    selectAsksForMainnet: ({ message, quickMessage, mainnetAllowed }) =>
      message === quickMessage && !mainnetAllowed,
  },
})

export const {
  botSelected,
  botLinked,
  botOffered,
  messageChanged,
  quickActionChosen,
  messageCarried,
  carriedNamed,
  mainnetAllowed,
  sendingBegan,
  sendingEnded,
  responseReceived,
  responsesCleared,
  executionsEnded,
} = terminalSlice.actions
export const {
  selectLabel,
  selectMessage,
  selectCarried,
  selectIsSending,
  selectResponses,
  selectAsksForMainnet,
} = terminalSlice.selectors

/** The alert of an execution; its own where it stands for the whole alert. */
function alertIdOf(executionId: string): string {
  return executionId.replace(/-.*/, '')
}
