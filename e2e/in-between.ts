import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { freePort } from '@tripline/scripts/infra/free-port'

/** Answers in place of the product. */
export type OwnAnswer = (response: ServerResponse) => void

/** What may stand between a browser and the product, such as a proxy of a company or a hotel. */
export interface InBetween {
  url: string
  /** Answers the calls whose path begins so by itself, until told otherwise; all others reach the product. */
  answerItself(pathStart: string, answer: OwnAnswer): void
  stop(): Promise<void>
}

/** Starts a server that hands on everything to the product until it is told what to answer itself. */
export async function startInBetween(productUrl: string): Promise<InBetween> {
  const own = new Map<string, OwnAnswer>()
  const ownAnswer = (path: string) => [...own].find(([start]) => path.startsWith(start))?.[1]
  const server = createServer((asked, response) => {
    const answer = ownAnswer(asked.url ?? '/')
    if (answer) answer(response)
    else handOn(productUrl, asked, response)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    answerItself: (pathStart, answer) => void own.set(pathStart, answer),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function handOn(productUrl: string, asked: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = asked
  const call = request(new URL(asked.url ?? '/', productUrl), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  call.on('error', () => response.destroy())
  response.on('close', () => call.destroy())
  asked.pipe(call)
}
