import type { OrderParamsV5, RestClientV5 } from 'bybit-api'
import { contract, type Operation } from '../contract/suite.ts'
import { SDK } from './clients.ts'
import { BTC, KINDS, type Kind, nextId } from './kinds.ts'

type Row = Operation<RestClientV5>

const ORDER = { symbol: BTC, side: 'Buy', orderType: 'Limit', qty: '0.01', price: '58000' } as const

async function place(
  client: RestClientV5,
  { category }: Pick<Kind, 'category'>,
  more: Partial<OrderParamsV5> = {},
) {
  const answer = await client.submitOrder({ category, ...ORDER, ...more })
  if (answer.retCode !== 0) throw new Error(JSON.stringify(answer))
  return answer.result
}

function shared({ category, feeCoin }: Kind): Row[] {
  const kind = { category }
  const on = (name: string): string => `${category}: ${name}`
  return [
    {
      name: on('instruments, tickers, book, trades and candles'),
      call: async (client) => {
        const taker = { orderType: 'Market', marketUnit: 'baseCoin' } as const
        await place(client, kind, taker)
        return {
          instruments: (await client.getInstrumentsInfo({ category, symbol: BTC })).result,
          tickers: (await client.getTickers({ category: 'linear', symbol: BTC })).result,
          book: (await client.getOrderbook({ category, symbol: BTC, limit: 3 })).result,
          trades: (await client.getPublicTradingHistory({ category, symbol: BTC })).result,
          candles: (await client.getKline({ category, symbol: BTC, interval: '5', limit: 2 })).result,
        }
      },
      gives: {
        instruments: {
          category,
          list: [{ symbol: BTC, status: 'Trading', baseCoin: 'BTC', quoteCoin: 'USDT' }],
        },
        tickers: { list: [{ symbol: BTC, bid1Price: '59999.90', ask1Price: '60000.10' }] },
        book: { s: BTC, b: [['59999.90'], ['59999.80'], {}].map(() => ({})), a: [{}, {}, {}] },
        trades: { list: [{ symbol: BTC, price: '60000.10', side: 'Buy' }] },
        candles: { symbol: BTC, list: [{ length: 7 }, { length: 7 }] },
      },
    },
    {
      name: on('a limit order rests, is amended, listed and canceled'),
      call: async (client) => {
        const orderLinkId = nextId()
        const { orderId } = await place(client, kind, { orderLinkId })
        await client.amendOrder({ category, symbol: BTC, orderId, price: '58500', qty: '0.02' })
        const open = (await client.getActiveOrders({ category, symbol: BTC })).result.list
        const canceled = (await client.cancelOrder({ category, symbol: BTC, orderLinkId })).result
        const past = (await client.getHistoricOrders({ category, orderLinkId })).result.list
        return { open, past, same: canceled.orderId === orderId && canceled.orderLinkId === orderLinkId }
      },
      gives: {
        same: true,
        open: [
          {
            ...{ symbol: BTC, side: 'Buy', orderType: 'Limit', orderStatus: 'New', timeInForce: 'GTC' },
            ...{ price: '58500.00', cumExecValue: '0', avgPrice: '', cancelType: 'UNKNOWN' },
          },
        ],
        past: [{ orderStatus: 'Cancelled', cancelType: 'CancelByUser', rejectReason: 'EC_PerCancelRequest' }],
      },
    },
    {
      name: on('an execution carries its fee and the order it is a part of'),
      call: async (client) => {
        const { orderId } = await place(client, kind, { price: '60100' })
        const { list } = (await client.getExecutionList({ category, orderId })).result
        return { execution: list[0], count: list.length, same: list[0]?.orderId === orderId }
      },
      gives: {
        ...{ count: 1, same: true },
        execution: {
          ...{ symbol: BTC, side: 'Buy', execPrice: '60000.10', execType: 'Trade', isMaker: false },
          ...{ orderPrice: '60100.00', execValue: '600.001', feeCurrency: feeCoin, orderType: 'Limit' },
        },
      },
    },
    {
      name: on('batches answer each order for itself'),
      call: async (client) => {
        const one = { ...ORDER }
        const placed = await client.batchSubmitOrders(category as 'linear', [one, { ...one, qty: '0' }])
        const orderId = placed.result.list[0]?.orderId ?? ''
        const amended = await client.batchAmendOrders(category as 'linear', [
          { symbol: BTC, orderId, price: '57000' },
        ])
        const canceled = await client.batchCancelOrders(category as 'linear', [
          { symbol: BTC, orderId },
          { symbol: BTC, orderId },
        ])
        return { placed, amended, canceled }
      },
      gives: {
        placed: {
          retCode: 0,
          result: { list: [{ category, symbol: BTC }, { orderId: '' }] },
          retExtInfo: { list: [{ code: 0, msg: 'OK' }, { code: category === 'spot' ? 170130 : 10001 }] },
        },
        amended: { retExtInfo: { list: [{ code: 0, msg: 'OK' }] } },
        canceled: { retExtInfo: { list: [{ code: 0 }, { code: category === 'spot' ? 170213 : 110001 }] } },
      },
    },
    {
      name: on('cancel-all reports the canceled orders'),
      call: async (client) => {
        const { orderId } = await place(client, kind)
        const { list } = (await client.cancelAllOrders({ category, symbol: BTC })).result as {
          list: { orderId: string }[]
        }
        return { same: list[0]?.orderId === orderId, count: list.length }
      },
      gives: { same: true, count: 1 },
    },
    {
      name: on('the fee rate'),
      call: async (client) => (await client.getFeeRate({ category, symbol: BTC })).result.list,
      gives: [{ symbol: BTC, takerFeeRate: category === 'spot' ? '0.001' : '0.00055' }],
    },
    {
      name: on('a transaction for each change of a coin'),
      call: async (client) => {
        await place(client, kind, { price: '60100' })
        return (await client.getTransactionLog({ accountType: 'UNIFIED', currency: 'USDT' })).result.list
      },
      gives: [
        { category, type: 'TRADE', currency: 'USDT', symbol: BTC, side: 'Buy', tradePrice: '60000.10' },
      ],
    },
  ]
}

const LINEAR = { category: 'linear' } as const
const PROTECTED = { category: 'linear', symbol: BTC, positionIdx: 0 } as const

const linear: Row[] = [
  {
    name: 'linear: leverage, position mode, positions and closed profit',
    call: async (client) => {
      const leverage = { category: 'linear', symbol: BTC, buyLeverage: '20', sellLeverage: '20' } as const
      const set = await client.setLeverage(leverage)
      const again = await client.setLeverage(leverage)
      await place(client, LINEAR, { price: '60100' })
      const { list } = (await client.getPositionInfo({ category: 'linear', symbol: BTC })).result
      await place(client, LINEAR, { side: 'Sell', orderType: 'Market', reduceOnly: true })
      const flat = (await client.getPositionInfo({ category: 'linear', settleCoin: 'USDT' })).result.list
      const closed = (await client.getClosedPnL({ category: 'linear', symbol: BTC })).result.list
      return { set: set.retCode, again: again.retCode, list, flat, closed }
    },
    gives: {
      ...{ set: 0, again: 110043, flat: [] },
      list: [
        {
          ...{ positionIdx: 0, symbol: BTC, side: 'Buy', size: '0.010', avgPrice: '60000.1', leverage: '20' },
          ...{
            positionStatus: 'Normal',
            positionValue: '600.001',
            markPrice: '60000.00',
            unrealisedPnl: '-0.001',
          },
        },
      ],
      closed: [
        {
          side: 'Sell',
          closedSize: '0.010',
          avgEntryPrice: '60000.1',
          avgExitPrice: '59999.9',
          fillCount: '1',
        },
      ],
    },
  },
  {
    name: 'linear: zero with both flags closes the whole position',
    call: async (client) => {
      await place(client, LINEAR, { price: '60100', qty: '0.02' })
      const all = {
        side: 'Sell',
        orderType: 'Market',
        qty: '0',
        reduceOnly: true,
        closeOnTrigger: true,
      } as const
      await place(client, LINEAR, all)
      return (await client.getPositionInfo({ category: 'linear', settleCoin: 'USDT' })).result
    },
    gives: { list: [], category: 'linear' },
  },
  {
    name: 'linear: trading stop sets, keeps and takes away',
    call: async (client) => {
      await place(client, LINEAR, { price: '60100', qty: '0.02' })
      const full = { ...PROTECTED, tpslMode: 'Full' } as const
      const set = await client.setTradingStop({ ...full, takeProfit: '62000', stopLoss: '59000' })
      const same = await client.setTradingStop({ ...full, takeProfit: '62000', stopLoss: '59000' })
      const partial = { ...PROTECTED, tpslMode: 'Partial', tpSize: '0.01', slSize: '0.01' } as const
      const limits = { tpOrderType: 'Limit', tpLimitPrice: '63000', slOrderType: 'Market' } as const
      const added = await client.setTradingStop({
        ...partial,
        ...limits,
        takeProfit: '63000',
        stopLoss: '58000',
      })
      const orders = (await client.getActiveOrders({ category: 'linear', symbol: BTC })).result.list
      const kinds = orders.map(({ stopOrderType, qty }) => `${stopOrderType} ${qty}`).sort()
      const gone = await client.setTradingStop({ ...full, takeProfit: '0', stopLoss: '0' })
      return { codes: [set, same, added, gone].map(({ retCode }) => retCode), kinds }
    },
    gives: {
      codes: [0, 34040, 0, 0],
      kinds: ['PartialStopLoss 0.010', 'PartialTakeProfit 0.010', 'StopLoss 0.020', 'TakeProfit 0.020'],
    },
  },
  {
    name: 'linear: the margin of an isolated position is added to and taken out again',
    call: async (client) => {
      await client.setMarginMode('ISOLATED_MARGIN')
      await place(client, LINEAR, { price: '60100', qty: '0.02' })
      const added = await client.addOrReduceMargin({ ...PROTECTED, margin: '100' })
      const taken = await client.addOrReduceMargin({ ...PROTECTED, margin: '-50' })
      const info = await client.getAccountInfo()
      return { added: added.result.positionIM, taken: taken.result.positionIM, mode: info.result.marginMode }
    },
    gives: { added: '220.0002', taken: '170.0002', mode: 'ISOLATED_MARGIN' },
  },
  {
    name: 'linear: the protection of an order is changed, and taken away',
    call: async (client) => {
      const { orderId } = await place(client, LINEAR, { takeProfit: '62000', stopLoss: '57000' })
      const named = { category: 'linear', symbol: BTC, orderId } as const
      const carried = async () => {
        const { list } = (await client.getActiveOrders(named)).result
        return `${list[0]?.takeProfit} ${list[0]?.stopLoss}`
      }
      const seen = [await carried()]
      await client.amendOrder({ ...named, stopLoss: '56000' })
      seen.push(await carried())
      await client.amendOrder({ ...named, takeProfit: '0' })
      return { seen: [...seen, await carried()] }
    },
    gives: { seen: ['62000.00 57000.00', '62000.00 56000.00', ' 56000.00'] },
  },
  {
    name: 'linear: a risk limit for each tier',
    call: async (client) => (await client.getRiskLimit({ category: 'linear', symbol: BTC })).result.list,
    gives: [{ id: 1, symbol: BTC, maxLeverage: '100.00', riskLimitValue: '2000000', isLowestRisk: 1 }].concat(
      Array.from({ length: 7 }, () => ({}) as never),
    ),
  },
]

const spot: Row[] = [
  {
    name: 'spot: how much may be traded',
    call: async (client) => (await client.getSpotBorrowCheck(BTC, 'Sell')).result,
    gives: { symbol: BTC, side: 'Sell', maxTradeQty: '2.000000', borrowCoin: 'BTC' },
  },
  {
    name: 'spot: a market sell by value sells coins of that value',
    call: async (client) => {
      const market = { side: 'Sell', orderType: 'Market', qty: '599.999', marketUnit: 'quoteCoin' } as const
      const { orderId } = await place(client, { category: 'spot' }, market)
      return (await client.getActiveOrders({ category: 'spot', orderId })).result.list
    },
    gives: [{ orderStatus: 'Filled', cumExecQty: '0.010000', marketUnit: 'quoteCoin', qty: '599.999' }],
  },
]

const account: Row[] = [
  {
    name: 'the account, its key, its coins and the movable amounts',
    call: async (client) => ({
      time: (await client.getServerTime()).retCode,
      wallet: (await client.getWalletBalance({ accountType: 'UNIFIED' })).result.list,
      info: (await client.getAccountInfo()).result,
      key: (await client.getQueryApiKey()).result,
      coins: (await client.getCoinInfo('BTC')).result,
      balances: (await client.getAllCoinsBalance({ accountType: 'UNIFIED', coin: 'BTC' })).result,
      dcp: (await client.setDisconnectCancelAllWindowV2({ timeWindow: 40 })).retCode,
    }),
    gives: {
      ...{ time: 0, dcp: 0 },
      wallet: [
        { accountType: 'UNIFIED', coin: [{ coin: 'USDT', walletBalance: '100000' }, { coin: 'BTC' }] },
      ],
      info: { unifiedMarginStatus: 6, marginMode: 'REGULAR_MARGIN' },
      key: { readOnly: 0, uta: 1 },
      coins: { rows: [{ coin: 'BTC', chains: [] }] },
      balances: { accountType: 'UNIFIED', balance: [{ coin: 'BTC', transferBalance: '2' }] },
    },
  },
]

contract(SDK, [...KINDS.flatMap(shared), ...linear, ...spot, ...account])
