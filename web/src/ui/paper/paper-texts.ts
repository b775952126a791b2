/** The texts about bots on the built-in paper exchange. */
export const paperTexts = {
  cancel: 'Cancel',
  add: {
    title: 'Add a Paper bot',
    note: 'A Paper bot trades with play money on the built-in paper exchange.',
    label: 'Label',
    labelHint: 'Alerts address the bot by its label, as in MyBot(BTCUSDT) { ... }',
    labelRequired: 'Label is required',
    market: 'Market',
    futures: 'Futures (USDT)',
    spot: 'Spot',
    confirm: 'Add bot',
    success: 'API key added successfully',
    added: (label: string): string => `It is your bot ${label}: alerts address it by this label.`,
    failure: 'Failed to add API key',
  },
  reset: {
    title: (label: string): string => `Reset the Paper account of ${label}?`,
    note: 'Its open orders and positions will be removed, and it will hold its opening balance again.',
    confirm: 'Reset account',
    success: 'Paper account reset',
    failure: 'Failed to reset the Paper account',
  },
} as const
