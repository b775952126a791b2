import type { Bend, Exchanged } from './bent-exchange.ts'

type Rule = (exchanged: Exchanged) => boolean

const isDone: Rule = ({ status, text }) => status === 200 && !/"retCode":[1-9]/.test(text)
const to =
  (method: string, path: string): Rule =>
  (exchanged) =>
    exchanged.method === method && exchanged.path === path

/** Ways in which Binance USDⓈ-M might differ, by the assumption that each breaks. */
export const futuresBends: Readonly<Record<string, Bend>> = {
  'limit.no-mean': {
    answer: (exchanged) =>
      to('POST', '/fapi/v1/order')(exchanged) && isDone(exchanged)
        ? { text: exchanged.text.replace(/\}$/, ',"avgPrice":"0.00"}') }
        : undefined,
  },
  'margin.same': {
    answer: (exchanged) =>
      to('POST', '/fapi/v1/marginType')(exchanged)
        ? { status: 200, text: '{"code":200,"msg":"success"}' }
        : undefined,
  },
  'algo.by-id': {
    answer: (exchanged) =>
      to('GET', '/fapi/v1/algoOrder')(exchanged) && /[?&]algoId=/.test(exchanged.sent)
        ? { status: 200, text: '{"algoId":7,"clientAlgoId":"x","side":"SELL","algoStatus":"NEW"}' }
        : undefined,
  },
  'algo.delete': {
    answer: (exchanged) =>
      to('DELETE', '/fapi/v1/algoOrder')(exchanged) && isDone(exchanged)
        ? { text: exchanged.text.replace('"code":"200"', '"code":"0"') }
        : undefined,
  },
  'fill.trimmed': {
    frame: (text) =>
      text.includes('"ORDER_TRADE_UPDATE"') ? text.replace(/"q":"(\d+\.\d+)"/, '"q":"$10"') : text,
  },
  'fill.order': { frame: (text) => (text.includes('"TRADE_LITE"') ? '' : text) },
}

/** The same for Binance spot. */
export function spotBends(): Readonly<Record<string, Bend>> {
  const taken = new Set<string>()
  let deletes = 0
  return {
    'absent.cancel': {
      answer: ({ method, path, text }) =>
        method === 'DELETE' && path === '/api/v3/order' && ++deletes === 1
          ? { text: text.replace('-2011', '-2026') }
          : undefined,
    },
    'id.reuse': {
      instead: ({ method, path, sent }) => {
        if (method !== 'POST' || path !== '/api/v3/order' || !sent.includes('type=MARKET')) return undefined
        const name = /newClientOrderId=(\w+)/.exec(sent)?.[1] ?? ''
        const isReused = taken.has(name)
        taken.add(name)
        return isReused ? { status: 400, text: '{"code":-2010,"msg":"Duplicate order sent."}' } : undefined
      },
    },
  }
}

/** The same for Bybit's linear market. */
export const bybitBends: Readonly<Record<string, Bend>> = {
  'signature.wrong': {
    answer: ({ text }) =>
      text.includes('"retCode":10004') ? { text: text.replace('10004', '10003') } : undefined,
  },
  'id.once': {
    answer: ({ text }) =>
      text.includes('"retCode":110072')
        ? { text: '{"retCode":0,"retMsg":"OK","result":{"orderId":"7","orderLinkId":"7"}}' }
        : undefined,
  },
  'position.seq': {
    answer: ({ path, text }) =>
      path === '/v5/position/list' ? { text: text.replace(/,"seq":"?-?\d+"?/g, '') } : undefined,
  },
  'fill.executions': {
    answer: ({ path, text }) =>
      path === '/v5/execution/list' ? { text: text.replace(/"execFee":"[^"]*",?/g, '') } : undefined,
  },
  'answers.known': {
    answer: ({ path, text }) =>
      path === '/v5/order/realtime'
        ? { text: text.replaceAll('"rejectReason":"EC_NoError"', '"rejectReason":"EC_NewReason"') }
        : undefined,
  },
}
