import { createServer } from 'node:http'
import { now } from '@tripline/kit/time/clock'
import type { LeanAnswer } from './lean-order.ts'

/** Takes alerts at a free port, and sends its number to the process that started this one. */
export function openLeanDoor(take: (message: string, receivedAt: number) => Promise<LeanAnswer>): void {
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    let message = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      message += chunk
    })
    request.on('end', () => {
      take(message, now()).then(
        (answer) => response.end(JSON.stringify(answer)),
        (error: unknown) => response.writeHead(502).end(String(error)),
      )
    })
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
  })
}
