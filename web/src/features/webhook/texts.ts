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
    secret: 'Whoever has this URL can trade on your accounts. Paste it into TradingView only.',
    regenerate: 'Regenerate token',
    local: 'This address is on your own machine: TradingView cannot reach it. Alerts from here can.',
    port: 'TradingView calls only ports 80 and 443: it cannot reach this address.',
  },
  settings: {
    heading: 'Settings',
    active: 'Active',
    activeNote: 'While it is off, every alert is answered 409 and nothing runs.',
    turnedOn: 'Webhook turned on',
    turnedOff: 'Webhook turned off',
    undo: 'Undo',
    rate: 'Alerts a minute',
    rateNote: 'From 1 to 60; more than that are answered 429.',
    used: (used: number, limit: number) => `${used} of ${limit} used in the last minute`,
    usedUnknown: 'How much is used is not known right now',
    format: 'Alert format',
    onlyTradingview: 'Only TradingView',
    onlyTradingviewNote:
      'Alerts from other addresses are refused. The terminal, which knows that it is you, still works.',
    save: 'Save Settings',
    unsaved: 'Changes are not saved yet.',
  },
  senders: {
    heading: 'Last senders',
    none: 'Nobody has called this address yet.',
    tradingview: 'TradingView',
  },
  regenerate: {
    title: 'Regenerate the webhook token?',
    warning: 'The present URL stops working at once.',
    consequence:
      'Every alert that still has it is answered 404 and does nothing, until you paste the new URL into it. This cannot be undone.',
    senders: 'These called the present URL lately and will be cut off:',
    nobody: 'Nobody has called the present URL lately.',
    type: (word: string) => `Type ${word} to go on`,
    word: 'regenerate',
    submit: 'Regenerate',
    cancel: 'Cancel',
    failure: 'Failed to regenerate token',
    done: {
      title: 'Token regenerated',
      description: 'New webhook URL generated. Update your TradingView alerts!',
    },
    newTitle: 'Your new webhook URL',
    newNote: 'It is shown in full this once. Later you can copy it or show it on this screen.',
    close: 'Done',
  },
  facts: {
    heading: 'What TradingView does',
    all: [
      [
        '3 seconds',
        'It hangs up after that. Tripline answers within 2.2 s; what takes longer goes on, and its result is in the history.',
      ],
      [
        'Retries',
        'After an error 500 and above, except 504, it sends again: up to 3 times, 5 s apart. Such a repeat runs nothing twice.',
      ],
      ['Two-factor login', 'Webhooks need it to be switched on in your TradingView account.'],
      ['Ports 80 and 443', 'It calls no others.'],
      ['No secrets', 'Keep passwords and API keys out of messages: whoever sees the alert can read them.'],
      ['Its alert log', 'Shows the answer of each webhook: look there when nothing arrives here.'],
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
      'Your webhook reads another format. These messages are in our own language; as JSON they are taken in any format.',
    enter: 'Enter with a market order',
    protect: 'Enter with stop-loss and take-profit',
    bracket: 'Enter, then two exits of which one cancels the other',
    close: 'Close the position',
  },
  builder: {
    heading: 'Build a message',
    symbol: 'Symbol',
    symbolInvalid: 'Write it like BTCUSDT or BTCUSDT.P',
    fromChart: 'The symbol of the chart',
    fromChartNote: 'TradingView puts it in place of {{ticker}}.',
    action: 'Action',
    buy: 'Buy',
    sell: 'Sell',
    close: 'Close',
    size: 'Size',
    unit: 'Unit',
    units: {
      percentEquity: '% of equity',
      base: 'coins',
      quote: '$ worth',
      percentAvailable: '% of available',
    },
    leverage: 'Leverage',
    stopLoss: 'Stop-loss %',
    takeProfit: 'Take-profit %',
    none: 'none',
    message: 'Message',
    asJson: 'As JSON',
    asJsonNote: 'The same message in a JSON object, which every alert format takes.',
  },
} as const

/** How a format of alerts is called, and whose it is. */
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

/** What choosing a format means. */
export const formatNote = (format: AlertFormat): string =>
  format === 'tripline'
    ? 'Text such as MyBot(BTCUSDT) { market(buy, 10%) }, or our JSON.'
    : 'Alerts of that product work as they are. What cannot be honored refuses the whole alert; nothing is guessed.'
