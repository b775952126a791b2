/** Texts that every screen has of accounts. */
export const accountTexts = {
  sides: { long: 'Long', short: 'Short', buy: 'Buy', sell: 'Sell' },
  title: 'Positions',
  all: 'All positions',
  reading: 'Asking the exchanges',
  flat: 'No open positions',
  profit: 'P&L',
  loadFailure: "Your accounts couldn't be read",
  old: 'Positions may be out of date',
  age: (seconds: number): string => `updated ${seconds} s ago`,
  unread: (label: string): string => `${label} couldn't be read`,
}
