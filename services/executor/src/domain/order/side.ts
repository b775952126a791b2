/** Of orders and fills. */
export type Side = 'buy' | 'sell'
