/** Protects what a bot bought. On spot there is no position but coins, so the side is named. */
export const protectCommands = {
  futures: 'stopOrTakeProfit(amount=100%p, sl=1%, tp=2%)',
  spot: 'stopOrTakeProfit(sell, 100%, sl=1%, tp=2%)',
} as const

/** Closes what a bot has, on every market, and with it what protected that. */
export const closeCommand = 'market(position=0)'
