/** The texts around the manual. */
export const manualTexts = {
  overview: 'Overview',
  contents: 'Contents',
  search: 'Search the manual',
  nothing: (search: string) => `Nothing in the manual has "${search}".`,
  clear: 'Clear the search',
} as const
