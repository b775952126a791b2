import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { LookUpDepth } from './order.ts'

/** When an order that a market does not show counts as one that it never got, and whether it is sent again. */
export interface AbsenceRule {
  /** Time after the receive window of its request in which an order may still be executed. */
  engineMs: number
  /** Greatest age of an order's state that a read shows. */
  readsLagMs: number
  /** The same for orders that never rest, which the list of open orders cannot show. */
  immediateLagMs: number
  /**
   * Time within which the private stream reports an order: an order that a stream without a gap did not report never was.
   * Undefined where reads are enough.
   */
  streamReportsMs: number | undefined
  /** Places where an order must be missing. */
  lookIn: LookUpDepth
  /** The market takes a name only once: an order in doubt may be sent again at any time. */
  areNamesUnique: boolean
}

/** Nothing says that Binance spot and Bybit look at the receive window once more when the order is executed. */
const engineMs = 10_000
const readsLagMs = 20_000
const streamReportsMs = 5000

/**
 * Binance USDⓈ-M. The engine itself refuses what is older than its receive window (-5028, "Error Codes" of the derivatives
 * documentation). Reads lag as on spot, and a name is taken again once its order has ended.
 */
const binanceFutures: AbsenceRule = {
  engineMs: 0,
  readsLagMs,
  immediateLagMs: readsLagMs,
  streamReportsMs: streamReportsMs,
  lookIn: 'everywhere',
  areNamesUnique: false,
}

/**
 * Binance spot. The receive window is checked at the door, and the engine has 10 s more (-1007, "Error codes" and "Timing
 * security" of the spot documentation). Reads come from "Memory => Database": filled orders were answered with -2013 for 10 to
 * 16 s (ccxt/binance-trade-bot #296, #297; nautilus_trader #4072), and GET order alone lacked living ones for up to ten
 * minutes (measured in Mike-Mercer/Binance-REST-Test). A name is taken again once its order is filled.
 */
const binanceSpot: AbsenceRule = { ...binanceFutures, engineMs, immediateLagMs: 900_000 }

/**
 * Bybit. An `orderLinkId` is taken once in 360 days (its FIX documentation), so that a second order of a name is refused
 * (110072, 170141). Orders leave what is at hand after a restart of the venue, and its history follows later ("Get Open &
 * Closed Orders" of the v5 documentation; 10 to 15 s were reported).
 */
const bybit: AbsenceRule = { ...binanceFutures, engineMs, areNamesUnique: true }

/**
 * OKX. A request is valid for 30 s by its timestamp, 27 s longer than our window, and `expTime`, which shortens that, is not for
 * conditional orders ("Making Requests" and "Transaction Timeouts" of its documentation, 2026-06). A name is taken again once its
 * order has ended ("Place order", there). Nothing says how late reads are, and no stream is followed.
 */
const okx: AbsenceRule = { ...binanceFutures, engineMs: 27_000, streamReportsMs: undefined }

/**
 * Our own exchange: it looks at the receive window as it executes, and its reads lag by 50 ms at most (docs/paper-exchange.md),
 * which the second that is left for clocks covers.
 */
const paper: AbsenceRule = {
  engineMs: 0,
  readsLagMs: 0,
  immediateLagMs: 0,
  streamReportsMs: undefined,
  lookIn: 'usual',
  areNamesUnique: false,
}

/** The rule of each market. */
export const absenceRules: Readonly<Record<ExchangeMarket, AbsenceRule>> = {
  binance_futures_usdt: binanceFutures,
  binance_spot: binanceSpot,
  bybit,
  bybit_spot: bybit,
  okx,
  okx_spot: okx,
  paper_futures: paper,
  paper_spot: paper,
}

/** By how much a reading of an account may lag behind what it shows, as far as is known of any venue. */
export const latestReadingMs = absenceRules.binance_futures_usdt.readsLagMs
