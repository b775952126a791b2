import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { freePort } from '@tripline/testkit/infra/free-port'

/** Answers in place of the product. */
export type OwnAnswer = (response: ServerResponse) => void

/** A part between a browser and the product, such as a proxy of a company or a hotel. */
export interface InBetween {
  url: string
  /** Replies to calls whose path begins so, until changed; all others reach the product. */
  answerItself(pathStart: string, answer: OwnAnswer): void
  /** Hands these calls on again, from now on without the query behind their path. */
  handOnBare(pathStart: string): void
  stop(): Promise<void>
}

/** Starts a server that hands on everything to the product until it is to answer something itself. */
export async function startInBetween(productUrl: string): Promise<InBetween> {
  const treatments = new Map<string, OwnAnswer | 'bare'>()
  const server = createServer((asked, response) => {
    const url = new URL(asked.url ?? '/', productUrl)
    const treatment = [...treatments].find(([start]) => url.pathname.startsWith(start))?.[1]
    if (treatment === 'bare') url.search = ''
    if (typeof treatment === 'function') treatment(response)
    else handOn(url, asked, response)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    answerItself: (pathStart, answer) => void treatments.set(pathStart, answer),
    handOnBare: (pathStart) => void treatments.set(pathStart, 'bare'),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function handOn(url: URL, asked: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = asked
  const call = request(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  call.on('error', () => response.destroy())
  response.on('close', () => call.destroy())
  asked.pipe(call)
}
