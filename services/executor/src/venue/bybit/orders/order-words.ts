// "Enums Definitions" of the v5 documentation, 2026-07, and what older recordings hold besides. A word that is missing here
// is counted; it is read all the same.

/** The types of orders. */
export const orderTypes: ReadonlySet<string> = new Set(['Market', 'Limit', 'UNKNOWN'])

/** The lives of orders. */
export const timesInForce: ReadonlySet<string> = new Set(['GTC', 'IOC', 'FOK', 'PostOnly', 'RPI'])

/** The kinds of conditional orders. */
export const stopOrderTypes: ReadonlySet<string> = new Set([
  'UNKNOWN',
  ...['Stop', 'TakeProfit', 'StopLoss', 'TrailingStop', 'PartialTakeProfit', 'PartialStopLoss'],
  // Of trailing orders, and not documented (JKorf/Bybit.Net #211).
  'TrailingProfit',
  ...['tpslOrder', 'OcoOrder', 'MmRateClose', 'BidirectionalTpslOrder'],
])

/** Why orders end; the venue gives EC_NoError where it has nothing to say. */
export const rejectReasons: ReadonlySet<string> = new Set(
  `
    NoError Others UnknownMessageType MissingClOrdID MissingOrigClOrdID DuplicatedClOrdID
    ClOrdIDOrigClOrdIDAreTheSame OrigClOrdIDDoesNotExist TooLateToCancel UnknownOrderType UnknownSide
    UnknownTimeInForce WronglyRouted MarketOrderPriceIsNotZero InvalidSymbolStatus LimitOrderInvalidPrice
    NoEnoughQtyToFill NoImmediateQtyToFill PerCancelRequest MarketOrderCannotBePostOnly PostOnlyWillTakeLiquidity
    CancelReplaceOrder CancelForNoFullFill BySelfMatch InCallAuctionStatus QtyCannotBeZero MarketOrderNoSupportTIF
    ReachMaxTradeNum InvalidPriceScale BitIndexInvalid StopBySelfMatch InvalidSmpType CancelByMMP InvalidUserType
    InvalidMirrorOid InvalidMirrorUid EcInvalidQty InvalidAmount LoadOrderCancel MarketQuoteNoSuppSell
    DisorderOrderID InvalidBaseValue LoadOrderCanMatch SecurityStatusFail ReachRiskPriceLimit OrderNotExist
    CancelByOrderValueZero CancelByMatchValueZero ReachMarketPriceLimit
  `
    .trim()
    .split(/\s+/)
    .map((reason) => `EC_${reason}`),
)

/** The kinds of executions. */
export const execTypes: ReadonlySet<string> = new Set([
  ...['Trade', 'AdlTrade', 'Funding', 'BustTrade', 'Delivery', 'Settle', 'SessionSettlePnL', 'BlockTrade'],
  ...['MovePosition', 'FutureSpread', 'CorporateAction', 'UNKNOWN'],
])

/** The states of markets. */
export const marketStatuses: ReadonlySet<string> = new Set([
  ...['PreLaunch', 'Trading', 'Delivering', 'Closed', 'Settling'],
])

/** The margin modes of an account. */
export const marginModes: ReadonlySet<string> = new Set([
  ...['ISOLATED_MARGIN', 'REGULAR_MARGIN', 'PORTFOLIO_MARGIN'],
])
