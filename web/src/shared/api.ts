import { client } from './client.ts'

// Answers are not checked again here: the gateway writes each by the schema that these types come from.

/** All calls to the product, with what each of them reads or makes stale. */
export const api = client.enhanceEndpoints({
  addTagTypes: [
    'Me',
    'Session',
    'Key',
    'KeyTrading',
    'CloseOnly',
    'TradingState',
    'Notifications',
    'Webhook',
    'Execution',
  ],
  endpoints: {
    getMe: { providesTags: ['Me'] },
    login: { invalidatesTags: ['Me'] },
    listSessions: { providesTags: ['Session'] },
    endSession: { invalidatesTags: ['Session'] },
    endOtherSessions: { invalidatesTags: ['Session'] },
    listKeys: { providesTags: ['Key'] },
    createKey: { invalidatesTags: ['Key'] },
    updateKey: { invalidatesTags: ['Key'] },
    deleteKey: { invalidatesTags: ['Key', 'KeyTrading'] },
    testKey: { invalidatesTags: ['Key'] },
    getKeyTrading: { providesTags: (_view, _failure, id) => [{ type: 'KeyTrading', id }] },
    updateKeyTrading: { invalidatesTags: (_view, _failure, { id }) => [{ type: 'KeyTrading', id }] },
    getCloseOnly: { providesTags: (_view, _failure, id) => [{ type: 'CloseOnly', id }] },
    createCloseOnly: { invalidatesTags: (_view, _failure, id) => [{ type: 'CloseOnly', id }] },
    regenerateCloseOnly: { invalidatesTags: (_view, _failure, { id }) => [{ type: 'CloseOnly', id }] },
    deleteCloseOnly: { invalidatesTags: (_view, _failure, id) => [{ type: 'CloseOnly', id }] },
    getTradingState: { providesTags: ['TradingState'] },
    updateTradingState: { invalidatesTags: ['TradingState', 'KeyTrading'] },
    getNotifications: { providesTags: ['Notifications'] },
    updateNotifications: { invalidatesTags: ['Notifications'] },
    testNotifications: { invalidatesTags: ['Notifications'] },
    getWebhookConfig: { providesTags: ['Webhook'] },
    updateWebhookConfig: { invalidatesTags: ['Webhook'] },
    getWebhookUsage: { providesTags: ['Webhook'] },
    regenerateWebhook: { invalidatesTags: ['Webhook'] },
    listExecutions: { providesTags: ['Execution'] },
    getExecution: { providesTags: ['Execution'] },
    getExecutionSummary: { providesTags: ['Execution', 'Key'] },
  },
})
