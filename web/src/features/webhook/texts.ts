import type { AlertFormat } from '@tripline/proto/language/formats/alert-format'

/** The texts of the webhook screen. */
export const webhookTexts = {
  heading: 'Webhook',
  loadFailure: 'Failed to load webhook configuration',
  saveFailure: 'Failed to save settings',
  saved: 'Settings saved',
  address: {
    heading: 'Webhook URL',
    copy: 'Copy webhook URL',
    reveal: 'Show the whole URL',
    hide: 'Hide the token',
    secret: 'Anyone with this URL can trade on your accounts. Keep it secret.',
    regenerate: 'Regenerate token',
    local: "This is a local address. TradingView can't reach it; requests from this machine can.",
    port: "TradingView only calls ports 80 and 443, so it can't reach this address.",
  },
  settings: {
    heading: 'Settings',
    active: 'Active',
    activeNote:
      'When off, alerts are rejected (HTTP 409) and nothing of them is executed. The Terminal still works.',
    turnedOn: 'Webhook turned on',
    turnedOff: 'Webhook turned off',
    undo: 'Undo',
    rate: 'Alerts per minute',
    rateNote: '1–60. Alerts above the limit are rejected (HTTP 429).',
    used: (used: number, limit: number) => `${used} of ${limit} used in the last minute`,
    usedBySession: (used: number, limit: number) => `From the Terminal, counted apart: ${used} of ${limit}`,
    usedUnknown: 'Current usage is unavailable',
    format: 'Alert format',
    onlyTradingview: 'Only TradingView',
    onlyTradingviewNote: 'Alerts from other addresses are rejected. The Terminal still works.',
    save: 'Save Settings',
    unsaved: 'Unsaved changes.',
  },
  senders: {
    heading: 'Last senders',
    none: 'No requests yet.',
    tradingview: 'TradingView',
  },
  regenerate: {
    title: 'Regenerate the webhook token?',
    warning: 'The current URL stops working immediately.',
    consequence:
      'Alerts that still use it will fail (HTTP 404) until you paste in the new URL. This cannot be undone.',
    senders: 'Recent callers that will be cut off:',
    nobody: 'No recent callers.',
    type: (word: string) => `Type ${word} to continue`,
    word: 'regenerate',
    submit: 'Regenerate',
    cancel: 'Cancel',
    failure: 'Failed to regenerate token',
    done: {
      title: 'Token regenerated',
      description: 'New webhook URL generated. Update your TradingView alerts!',
    },
    newTitle: 'Your new webhook URL',
    newNote: 'Shown in full only now. Later you can copy or reveal it on this page.',
    close: 'Done',
  },
  facts: {
    heading: 'How TradingView sends webhooks',
    all: [
      [
        '3 seconds',
        'It times out after that. Tripline responds within 2.2 s; longer alerts keep running, and the result is in the history.',
      ],
      [
        'Retries',
        'After an HTTP error 500 or above, except 504, it retries up to 3 times, 5 s apart. Retries are never executed twice.',
      ],
      ['Two-factor login', 'TradingView only sends webhooks if your account has it turned on.'],
      ['Ports 80 and 443', 'It cannot reach other ports.'],
      ['No secrets', 'Keep passwords and API keys out of messages: anyone who sees the alert can read them.'],
      ['Its alert log', 'Shows the response to each webhook. Check it when nothing arrives here.'],
    ],
  },
  messages: {
    heading: 'Alert messages',
    note: 'Ready to paste into the message field of an alert.',
    bot: 'Bot',
    noBots: (label: string) => `These messages name ${label} as a sample: you need a bot first.`,
    addKey: 'Add an API key',
    copy: (name: string) => `Copy: ${name}`,
    copyShort: 'Copy',
    tryOut: 'Try in Terminal',
    tryOutOf: (name: string) => `Try in Terminal: ${name}`,
    wrapped:
      'Your webhook expects another format. These messages are Tripline JSON, which every format accepts.',
    enter: 'Enter with a market order',
    protect: 'Enter with stop-loss and take-profit',
    bracket: 'Enter with bracket exits (OCO)',
    close: 'Close the position',
  },
  builder: {
    heading: 'Build a message',
    symbol: 'Symbol',
    fromChart: 'Use the chart symbol',
    fromChartNote: 'TradingView replaces {{ticker}} with it.',
    action: 'Action',
    buy: 'Buy',
    sell: 'Sell',
    close: 'Close',
    size: 'Size',
    unit: 'Unit',
    units: {
      percentEquity: '% of equity',
      base: 'base units',
      quote: 'USDT value',
      percentAvailable: '% of available',
    },
    leverage: 'Leverage',
    stopLoss: 'Stop-loss %',
    takeProfit: 'Take-profit %',
    none: 'none',
    faults: {
      symbol: 'Write it like BTCUSDT or BTCUSDT.P',
      size: 'A number above zero, such as 10 or 0.01',
      percent: 'A number above zero and up to 99, or nothing',
    },
    incomplete: 'Correct the marked fields to get the message.',
    message: 'Message',
    asJson: 'As JSON',
    asJsonNote: 'The same message as a JSON object, which every alert format accepts.',
    mode: 'Kind of message',
    modes: { order: 'Fixed order', strategy: 'Strategy alert' },
  },
  strategy: {
    follow: "The bot follows the strategy's",
    ways: { position: 'Position', orders: 'Orders' },
    notes: {
      position:
        'After each alert the bot holds what the strategy holds, whatever it held before: a missed alert is made up for by the next one.',
      orders: 'The bot places every order of the strategy, in its direction and size.',
    },
    sizes:
      "Sizes are the strategy's own: of 1 contract on BTCUSDT the bot holds 1 BTC. Set the order size in the strategy's properties.",
    stepsHeading: 'In TradingView',
    steps: [
      'Open the chart with your strategy and choose Create alert. As condition, choose the strategy.',
      'Replace the text in Message with the message above.',
      'In Notifications, turn on Webhook URL and paste your webhook URL.',
      'Choose Create. TradingView fills in what stands in {{ }} at each order of the strategy.',
    ],
  },
} as const

/** The name of each format of alerts, and whose it is. */
export const formatNames: Record<AlertFormat, string> = {
  tripline: 'Tripline (our own)',
  '3commas': '3Commas signal bot',
  traderspost: 'TradersPost',
  wundertrading: 'WunderTrading',
  tvhub: 'TV-Hub',
  finandy: 'Finandy',
  autoview: 'Autoview',
  whook: 'whook',
}

/** Returns the meaning of a format. */
export const formatNote = (format: AlertFormat): string =>
  format === 'tripline'
    ? 'Text such as MyBot(BTCUSDT) { market(buy, 10%) }, or our JSON.'
    : 'Alerts of that product work as they are. An alert with anything unsupported is rejected as a whole; nothing is guessed.'
