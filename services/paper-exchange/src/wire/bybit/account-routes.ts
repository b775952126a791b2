import { balanceOf, marginModeOf } from '../../domain/account.ts'
import { formatTrimmed } from '../../domain/fixed.ts'
import type { Funding } from '../../domain/funding.ts'
import { marketOf } from '../../domain/market.ts'
import type { Fill } from '../../domain/order.ts'
import { accountAt, type Entry } from '../../store/ledger.ts'
import { categoryIn, categoryOfId, marketNamed, marketsIn } from './category.ts'
import { BybitError, paramsError } from './errors.ts'
import { type Fields, limitIn, requiredIn, textIn, wholeIn } from './fields.ts'
import { feeRateText, fillIdOf } from './format-fill.ts'
import { formatFunding } from './format-funding.ts'
import { priceText, quantityText } from './format-market.ts'
import { moneyText, orderIdOf } from './format-order.ts'
import { coinsOf, formatWallet, freeToTrade, listedCoins } from './format-wallet.ts'
import { pageOf } from './page.ts'
import { type Route, type SignedCall, setting, signed } from './route.ts'

const MARGIN_MODES = { cross: 'REGULAR_MARGIN', isolated: 'ISOLATED_MARGIN' } as const

function walletBalance({ fields, exchange, entry, asOf }: SignedCall) {
  if (requiredIn(fields, 'accountType') !== 'UNIFIED') {
    throw new BybitError(10001, 'accountType only support UNIFIED.')
  }
  const account = accountAt(entry, asOf)
  const asked = textIn(fields, 'coin')?.split(',')
  return { list: [formatWallet(exchange, entry, account, asked ?? coinsOf(account))] }
}

function marginModeIn({ entry }: Pick<SignedCall, 'entry'>): keyof typeof MARGIN_MODES {
  const first = marketsIn('linear')[0]
  return first ? marginModeOf(entry.account, first.id) : 'cross'
}

function accountInfo(call: SignedCall) {
  return {
    unifiedMarginStatus: 6,
    marginMode: MARGIN_MODES[marginModeIn(call)],
    isMasterTrader: false,
    spotHedgingStatus: 'OFF',
    dcpStatus: call.guards.windowOf(call.entry) === undefined ? 'OFF' : 'ON',
    timeWindow: call.guards.windowOf(call.entry) ?? 10,
    smpGroup: 0,
    updatedTime: String(call.entry.account.updatedAt),
  }
}

function setMarginMode(call: SignedCall) {
  const { fields, exchange, entry, now } = call
  const wanted = requiredIn(fields, 'setMarginMode')
  if (wanted === 'PORTFOLIO_MARGIN') throw new BybitError(110073, 'Set margin mode failed')
  if (wanted !== 'REGULAR_MARGIN' && wanted !== 'ISOLATED_MARGIN') throw paramsError('setMarginMode')
  const mode = wanted === 'ISOLATED_MARGIN' ? 'isolated' : 'cross'
  if (marginModeIn(call) === mode) {
    throw new BybitError(110026, 'Cross/isolated margin mode is not modified')
  }
  for (const market of marketsIn('linear')) {
    const refusal = exchange.setMarginMode(entry, market.id, mode, now)
    if (refusal !== undefined && refusal !== 'marginModeUnchanged') {
      throw new BybitError(110073, 'Set margin mode failed')
    }
  }
  return { reasons: [] }
}

function feeRates({ fields }: SignedCall) {
  const category = categoryIn(fields)
  const symbol = textIn(fields, 'symbol')
  const base = textIn(fields, 'baseCoin')
  const markets = symbol === undefined ? marketsIn(category) : [marketNamed(category, symbol)]
  const list = markets
    .filter((market) => base === undefined || market.base === base)
    .map((market) => ({
      symbol: market.symbol,
      baseCoin: '',
      takerFeeRate: formatTrimmed(market.takerFee, 6),
      makerFeeRate: formatTrimmed(market.makerFee, 6),
    }))
  return { category, list }
}

type Row = Readonly<{ id: string; currency: string; row: Record<string, unknown> }>

// Each fill as the changes it made, newest first, with the balance after each: counted back from the present one.
function transactions(entry: Entry): Row[] {
  const balances = new Map(entry.account.balances)
  const fills = [...entry.fillsByMarket.values()].flat()
  const rows: Row[] = []
  for (const one of [...fills, ...entry.fundings].sort((a, b) => b.id - a.id)) {
    if ('paid' in one) {
      const { quote } = marketOf(one.market)
      const after = balances.get(quote) ?? 0n
      balances.set(quote, after + one.paid)
      if (categoryOfId(one.market)) rows.push(settlementOf(one, after))
      continue
    }
    const fill = one
    for (const { currency, change, fee } of changesOf(fill)) {
      const after = balances.get(currency) ?? 0n
      balances.set(currency, after - change)
      const category = categoryOfId(fill.market)
      if (!category) continue
      const row = formatTransaction(entry, fill, { currency, change, fee, after })
      rows.push({ id: String(row.id), currency, row: { ...row, category } })
    }
  }
  return rows
}

// Funding that was got is above zero here (documented), as the change is.
function settlementOf(funding: Funding, after: bigint): Row {
  const market = marketOf(funding.market)
  const { feeRate, execQty, execPrice, execId, side, execTime } = formatFunding(funding)
  const id = `${funding.id}_${market.symbol}_${market.quote}`
  const row = {
    ...{ id, symbol: market.symbol, category: 'linear', side, transactionTime: execTime },
    ...{ type: 'SETTLEMENT', transSubType: '', qty: execQty, size: execQty, currency: market.quote },
    ...{ tradePrice: execPrice, funding: moneyText(-funding.paid), fee: '0', cashFlow: '0' },
    ...{ change: moneyText(-funding.paid), cashBalance: moneyText(after), feeRate, bonusChange: '' },
    ...{ tradeId: execId, orderId: '', orderLinkId: '', extraFees: '' },
  }
  return { id, currency: market.quote, row }
}

type Change = Readonly<{ currency: string; change: bigint; fee: bigint }>

function changesOf(fill: Fill): readonly Change[] {
  const market = marketOf(fill.market)
  if (market.kind === 'linear') {
    return [{ currency: fill.feeAsset, change: fill.realized - fill.fee, fee: fill.fee }]
  }
  const base = fill.quantity * 10n ** BigInt(8 - market.quantityPrecision)
  const [paid, got] = fill.side === 'buy' ? [fill.value, base] : [base, fill.value]
  const [pays, gets] = fill.side === 'buy' ? [market.quote, market.base] : [market.base, market.quote]
  return [
    { currency: gets, change: got - fill.fee, fee: fill.fee },
    { currency: pays, change: -paid, fee: 0n },
  ]
}

function formatTransaction(
  entry: Entry,
  fill: Fill,
  { currency, change, fee, after }: Change & { after: bigint },
) {
  const market = marketOf(fill.market)
  const order = entry.orders.get(fill.orderId)
  return {
    id: `${fill.id}_${market.symbol}_${currency}`,
    symbol: market.symbol,
    side: fill.side === 'buy' ? 'Buy' : 'Sell',
    transactionTime: String(fill.at),
    type: order?.origin === 'liquidation' ? 'LIQUIDATION' : 'TRADE',
    transSubType: '',
    qty: quantityText(market, fill.quantity),
    size: quantityText(market, fill.quantity),
    currency,
    tradePrice: priceText(market, fill.price),
    funding: '',
    fee: moneyText(fee),
    cashFlow: moneyText(change + fee),
    change: moneyText(change),
    cashBalance: moneyText(after),
    feeRate: feeRateText(market, fill),
    bonusChange: '',
    tradeId: fillIdOf(fill),
    orderId: orderIdOf({ market: fill.market, id: fill.orderId }),
    orderLinkId: order?.clientOrderId ?? '',
    extraFees: '',
  }
}

function transactionLog({ fields, entry }: SignedCall) {
  const [from, to] = [wholeIn(fields, 'startTime'), wholeIn(fields, 'endTime')]
  const wanted = (name: string, value: unknown): boolean => {
    const asked = textIn(fields, name)
    return asked === undefined || asked === value
  }
  const rows = transactions(entry).filter(({ currency, row }) => {
    const at = Number(row['transactionTime'])
    const isWithin = at >= (from ?? 0) && at <= (to ?? Number.POSITIVE_INFINITY)
    const isKind = wanted('category', row['category']) && wanted('type', row['type'])
    return isWithin && isKind && wanted('currency', currency)
  })
  const { rows: shown, next } = pageOf(
    rows,
    limitIn(fields, 50, 20),
    textIn(fields, 'cursor'),
    ({ id }) => id,
  )
  return { list: shown.map(({ row }) => row), nextPageCursor: next }
}

function apiKeyInfo({ entry }: SignedCall) {
  const userId = Number.parseInt(entry.apiKey.slice(0, 7), 16) || 1
  return {
    id: String(userId),
    note: '',
    apiKey: entry.apiKey,
    readOnly: 0,
    secret: '',
    permissions: {
      ContractTrade: ['Order', 'Position'],
      Spot: ['SpotTrade'],
      Wallet: [],
      Options: [],
      Derivatives: ['DerivativesTrade'],
      CopyTrading: [],
      BlockTrade: [],
      Exchange: [],
      NFT: [],
      Affiliate: [],
    },
    ips: ['*'],
    type: 1,
    deadlineDay: 90,
    expiredAt: '1970-01-01T00:00:00Z',
    createdAt: new Date(entry.openedAt).toISOString(),
    unified: 0,
    uta: 1,
    userID: userId,
    inviterID: 0,
    vipLevel: 'No VIP',
    mktMakerLevel: '0',
    affiliateID: 0,
    rsaPublicKey: '',
    isMaster: true,
    parentUid: '0',
    kycLevel: 'LEVEL_DEFAULT',
    kycRegion: '',
  }
}

// Coins neither come nor go here, so none has a chain.
function coinInfo({ fields }: SignedCall) {
  const asked = textIn(fields, 'coin')
  const coins = listedCoins().filter((coin) => asked === undefined || coin === asked)
  return { rows: coins.map((coin) => ({ name: coin, coin, remainAmount: '0', chains: [] })) }
}

// Everything lies in the unified account: the funding account is empty.
function balanceRow(call: SignedCall, coin: string) {
  const { fields, exchange, entry } = call
  const isUnified = requiredIn(fields, 'accountType') === 'UNIFIED'
  const wallet = isUnified ? balanceOf(entry.account, coin) : 0n
  const transferable = isUnified ? freeToTrade(exchange, entry, coin) : 0n
  return { coin, walletBalance: moneyText(wallet), transferBalance: moneyText(transferable), bonus: '' }
}

function accountType(fields: Fields): string {
  const type = requiredIn(fields, 'accountType')
  if (type !== 'UNIFIED' && type !== 'FUND') throw paramsError('accountType')
  return type
}

function allBalances(call: SignedCall) {
  const { fields, entry } = call
  const asked = textIn(fields, 'coin')?.split(',') ?? coinsOf(entry.account)
  const balance = asked.map((coin) => balanceRow(call, coin))
  return { accountType: accountType(fields), memberId: String(apiKeyInfo(call).userID), balance }
}

function oneBalance(call: SignedCall) {
  const { fields } = call
  const memberId = String(apiKeyInfo(call).userID)
  const balance = { ...balanceRow(call, requiredIn(fields, 'coin')), transferSafeAmount: '' }
  return { accountType: accountType(fields), bizType: 1, accountId: memberId, memberId, balance }
}

/** Routes by which an account reads and sets itself. */
export const accountRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /v5/account/wallet-balance', signed(walletBalance)],
  ['GET /v5/account/info', signed(accountInfo)],
  ['GET /v5/account/fee-rate', signed(feeRates)],
  ['POST /v5/account/set-margin-mode', setting(setMarginMode)],
  ['GET /v5/account/transaction-log', signed(transactionLog)],
  ['GET /v5/user/query-api', signed(apiKeyInfo)],
  ['GET /v5/asset/coin/query-info', signed(coinInfo)],
  ['GET /v5/asset/transfer/query-account-coins-balance', signed(allBalances)],
  ['GET /v5/asset/transfer/query-account-coin-balance', signed(oneBalance)],
]
