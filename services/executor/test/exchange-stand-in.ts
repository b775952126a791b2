import { createServer } from 'node:http'

/** An answer of a path. */
export type StandInAnswer = { status: number; body: object } | 'silence'

/** An exchange of which only the answers given here exist, over HTTP. */
export interface ExchangeStandIn {
  url: string
  /** The path of every request, without its query. */
  readonly asked: string[]
  /** Sets what a path answers; everything else is 404. */
  answer: (path: string, answer: StandInAnswer) => void
  clear: () => void
  stop: () => Promise<void>
}

export async function exchangeStandIn(): Promise<ExchangeStandIn> {
  const answers = new Map<string, StandInAnswer>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    asked.push(path)
    const answer = answers.get(path) ?? { status: 404, body: { error: 'not found' } }
    if (answer === 'silence') return
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    answer: (path, answer) => void answers.set(path, answer),
    clear: () => {
      answers.clear()
      asked.length = 0
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A refusal as Binance says it. */
export function binanceRefusal(code: number): StandInAnswer {
  return { status: code === -2015 ? 401 : 400, body: { code, msg: 'refused, see CANARY-url?signature=1' } }
}

/** A refusal as Bybit says it. */
export function bybitRefusal(retCode: number): StandInAnswer {
  return { status: 200, body: { retCode, retMsg: 'refused', result: {}, retExtInfo: {}, time: Date.now() } }
}
