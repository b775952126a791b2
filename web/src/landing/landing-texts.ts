/** Every text of the pages that visitors meet first. They have a list of their own, since their weight counts. */
export const landingTexts = {
  brand: 'Tripline',
  skipToContent: 'Skip to content',
  toLight: 'Switch to the light theme',
  toDark: 'Switch to the dark theme',
  login: 'Login',
  dashboard: 'Open dashboard',
  getStarted: 'Get Started',
  title: 'Your alerts become orders',
  tagline:
    'Tripline turns your charting alerts into orders on your own exchange accounts: once each, in order, in milliseconds.',
  alpha: { title: 'Alpha', note: 'Free access while we are in alpha.' },
  example: {
    heading: 'One alert, step by step',
    alert: 'The alert',
    message: 'MyBot(BTCUSDT) {\n  market(buy, 0.01)\n  sltp(amount=100%p, sl=1%, tp=2%)\n}',
    stages: [
      { name: 'Received', detail: 'stored, checked as a whole', time: '2 ms' },
      { name: 'Sent', detail: 'over a warm connection', time: '3 ms' },
      { name: 'Filled', detail: 'buy 0.01 BTCUSDT at 60,000.1', time: '9 ms' },
      { name: 'Protected', detail: 'stop-loss 59,399.9, take-profit 61,200.1', time: '15 ms' },
    ],
    note: 'Measured on the built-in paper exchange. Real exchanges add network latency.',
  },
  features: {
    heading: 'What it does',
    cards: [
      {
        title: 'Lightning Fast',
        summary: 'Connected before your alert fires',
        text: 'Your exchange clients are connected ahead of time and kept warm, so your order goes out on an open connection. Alerts are stored durably before they are acknowledged, and still reach the exchange within milliseconds.',
      },
      {
        title: 'Multi-Exchange',
        summary: 'ByBit, Binance, and a paper exchange',
        text: 'ByBit futures and spot, Binance spot and USD-M futures, and a built-in paper exchange to try things without money. The same alert language works on all of them; what a market does not support is rejected with the reason.',
      },
      {
        title: 'Multi-Bot Support',
        summary: 'One label for each account',
        text: 'Each API key you add is a bot with its own label, limits and notifications. Bots run side by side: a slow one never holds up another. Keys are stored encrypted, and no screen shows them again.',
      },
      {
        title: 'Advanced Commands',
        summary: 'Limit, stop, OCO and more',
        text: 'Market, limit and stop orders, stop-loss with take-profit, one-cancels-other, cancels, waits and leverage. Sizes in coins, money or percent of your equity. If anything in an alert is wrong, none of it runs.',
      },
    ],
  },
  points: {
    heading: 'What you get',
    // The second character keeps phones from drawing a colored picture in place of the first.
    all: [
      {
        glyph: '⚡\uFE0E',
        title: 'Fastest execution',
        text: 'Exchange clients connected before your alert fires.',
      },
      { glyph: '▣', title: 'Multi-exchange', text: 'ByBit and Binance, futures and spot.' },
      {
        glyph: '⌘',
        title: 'Order commands',
        text: 'Market, limit and stop orders, and OCO: one cancels the other.',
      },
      { glyph: '↗\uFE0E', title: 'Charting platform', text: 'TradingView alerts, as they are.' },
      { glyph: '◉', title: 'Live event stream', text: 'Every step of every alert as it happens.' },
      { glyph: '✉\uFE0E', title: 'Mobile notifications', text: 'Through your own Telegram bot.' },
      { glyph: '≡', title: 'Full history', text: 'Every alert and command, with its outcome.' },
      { glyph: '❯', title: 'Interactive console', text: 'Send commands by hand and watch the answers.' },
      { glyph: '◆', title: 'Encrypted keys', text: 'Stored encrypted, never shown again.' },
    ],
  },
  activity: {
    heading: 'Live Activity',
    live: 'Live',
    connecting: 'Connecting to live stream...',
    waiting: 'Waiting for events...',
    masked:
      'Sensitive data (API keys, balances, prices) is masked in the public stream; times are UTC, cut to the second.',
    list: 'Public events, newest last',
  },
  exchanges: {
    heading: 'Supported exchanges',
    soon: 'Coming soon',
    all: [
      { name: 'ByBit Futures' },
      { name: 'ByBit Spot' },
      { name: 'Binance Futures', note: 'testnet' },
      { name: 'Binance Spot' },
      { name: 'Paper', note: 'play money' },
      { name: 'Binance COIN-M', isSoon: true },
      { name: 'OKX', isSoon: true },
      { name: 'Kraken', isSoon: true },
    ],
  },
  waitlist: {
    heading: 'Join the waitlist',
    note: "One email when there's big news. Nothing else.",
    email: 'Email address',
    placeholder: 'you@example.com',
    submit: 'Notify Me',
    submitting: 'Joining...',
    another: 'Add another email',
    empty: { title: 'Email required', description: 'Please enter your email address' },
    invalid: { title: 'Email not valid', description: 'Please enter a valid email address' },
    joined: { title: 'Success!', description: "You've been added to the waitlist!" },
    already: { title: 'Already subscribed!', description: "You're already on the waitlist" },
    failure: 'Failed to join waitlist',
  },
  community: {
    heading: 'Talk to us',
    note: 'Questions, ideas, help with an alert.',
    link: 'Join the community',
  },
  footer: {
    label: 'Legal and contact',
    terms: 'Terms',
    privacy: 'Privacy',
    contact: 'Contact',
    copyright: '© 2025 Tripline. All rights reserved.',
    risk: 'Trading involves risk. Tripline carries out your instructions and gives no advice.',
  },
  teaser: {
    title: 'Tripline',
    tagline: 'Webhook alerts become exchange orders. Soon.',
    tilesHeading: 'What is coming',
  },
  notices: { label: 'Notices', close: 'Close' },
} as const

/** The button that leads back to the newest lines, with how many came meanwhile. */
export const jumpText = (unseen: number): string => `Jump to latest (${unseen})`
