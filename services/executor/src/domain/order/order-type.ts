/** The kinds of order that commands come to; an order with a trigger rests until the market reaches it. */
export type OrderType = 'market' | 'limit' | 'stop' | 'stopLimit' | 'takeProfit' | 'takeProfitLimit'
