/** Everything that is stored in the browser, by its key. */
export const storageKeys = {
  accessToken: 'accessToken',
  refreshToken: 'refreshToken',
  recentWebhooks: 'recentWebhooks',
  theme: 'theme',
  palette: 'palette',
  clock: 'clock',
  webhookUrlCopied: 'webhookUrlCopied',
  firstStepsHidden: 'firstStepsHidden',
  savedViews: 'savedViews',
  draft: 'draft',
  livePosition: 'livePlace',
  reloadedFor: 'reloadedFor',
  browserTokens: 'browserTokens',
  tradingChangedAt: 'tradingChangedAt',
} as const

/** Keys of earlier versions, removed when a session ends. */
export const legacyStorageKeys = ['token', 'user'] as const
