/** Every text of the terminal. */
export const terminalTexts = {
  heading: 'Terminal',
  tabs: { label: 'Parts of the terminal', send: 'Send', responses: 'Responses', log: 'Log' },
  columns: 'Width of the columns',
  compose: 'Webhook',
  bots: 'Bot',
  noKeys: 'No API keys configured',
  keysFailure: 'Failed to load API keys',
  unable: {
    one: (label: string): string => `${label} cannot trade.`,
    all: 'None of your bots can trade.',
    mark: 'cannot trade',
    mend: 'Mend it under API Keys',
  },
  editor: 'Webhook message',
  editorHint: (label: string): string => `${label}(BTCUSDT) { market(buy, 0.01) }`,
  sampleBot: 'MyBot',
  format: 'Format',
  formatHint: 'Format the message (Shift Alt F)',
  quickActions: 'Quick Actions',
  selectKey: 'Select an API key above to use Quick Actions',
  execute: 'Execute',
  notReady: 'Webhook URL still loading',
  recent: 'Recent Webhooks',
  recentEmpty: 'Messages you execute are kept here.',
  reuse: 'Reuse',
  pin: 'Pin',
  unpin: 'Unpin',
  remove: 'Delete',
  empty: { title: 'Empty message', description: 'Please enter a webhook message' },
  success: { title: 'Webhook executed successfully', fallback: 'Executed successfully' },
  nothing: { title: 'Nothing to do', ending: 'No order was placed.' },
  accepted: {
    title: 'Webhook accepted',
    description: 'Still running. This card updates when it finishes.',
  },
  failure: { title: 'Webhook execution failed', fallback: 'Check response for details' },
  requestFailure: { title: 'Request failed', fallback: 'Network or server error' },
  noAnswer: {
    name: 'no answer',
    detail: 'The message may or may not have arrived. Look in Execution History before you send it again.',
  },
  monitor: 'Response Monitor',
  monitorEmpty: 'No responses yet. Send a webhook to see results here.',
  clear: 'Clear responses',
  cleared: 'Terminal cleared',
  request: 'Request',
  response: 'Response',
  copyResponse: 'Copy response',
  details: 'Request and response',
  inHistory: 'Open in Execution History',
  reconsider: 'Cancel',
  mainnet: {
    title: 'Trade with real money?',
    note: (labels: string) =>
      `${labels} trades on the exchange itself, not on a test network. Quick Actions ask this once per session.`,
  },
} as const

/** Texts about a message before it is sent. */
export const previewTexts = {
  region: 'What it would do now',
  asking: 'Loading preview',
  idle: 'A preview of what this message will do appears here.',
  begun: 'Write a command between the braces, or choose a Quick Action.',
  failure: 'Preview unavailable',
  again: 'Ask again',
  age: (seconds: number) => (seconds < 1 ? 'now' : `${seconds} s ago`),
  problems: 'Problems of the message',
  networks: { paper: 'Paper', testnet: 'Testnet', mainnet: 'Mainnet' },
  market: 'at market',
  reduceOnly: 'reduce only',
  skipped: 'skipped: an earlier command would be rejected',
} as const

export const quickActionTexts = {
  long: 'Long (10x leverage + TP/SL)',
  longSpot: 'Long (TP/SL)',
  short: 'Short (fast execution)',
  close: 'Close All Positions',
  balance: 'Check Balance',
} as const

export const speedTexts = {
  backend: 'Backend execution time',
  overhead: 'HTTP overhead',
  total: 'Total',
} as const

export const logTexts = {
  count: (count: number) => (count === 1 ? '1 event' : `${count} events`),
  jump: (missed: number) => (missed === 0 ? 'Jump to latest' : `Jump to latest (${missed})`),
  pause: 'Pause',
  resume: 'Resume',
  missed: (missed: number) => `${missed} new`,
  wrap: 'Wrap lines',
  copy: 'Copy visible lines',
  filter: 'Filter by text',
  filterHint: 'Filter',
  kinds: 'Event types',
  noMatch: 'No event matches the filter.',
  open: 'Open in Execution History',
  failed: (message: string) => `Error: ${message}`,
  times: (count: number) => `×${count}`,
  kind: {
    webhook: 'Webhook',
    command: 'Command',
    exchange: 'Exchange',
    oco: 'OCO',
    client_pool: 'Connections',
    error: 'Error',
    connected: 'Stream',
  },
} as const

export const webhookAddressTexts = {
  loadFailure: 'Failed to load webhook configuration',
  url: 'Webhook URL',
  loading: '…',
  copyUrl: 'Copy webhook URL',
  reload: 'Load the webhook URL again',
} as const

/** Returns the success notice's text about the commands of an executed webhook. */
export const completedText = (completed: number, total: number): string =>
  `${completed}/${total} command(s) completed`

/** Title of the notice of a webhook of which a part was executed. */
export const partlyExecutedText = (done: number, total: number): string =>
  `Partly executed: ${done} of ${total} commands done`
