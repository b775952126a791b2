/**
 * Commands that protect what a bot bought and that close what it has, by market. On spot there is no position but coins,
 * which orders that wait to sell them lock until they are canceled.
 */
export const exitCommands = {
  futures: {
    protect: 'stopOrTakeProfit(amount=100%p, sl=1%, tp=2%)',
    close: ['market(position=0)'],
  },
  spot: {
    protect: 'stopOrTakeProfit(sell, 100%, sl=1%, tp=2%)',
    close: ['cancel', 'market(position=0)'],
  },
} as const
