// Runs paper exchanges for tests, many in one process: a process for each costs more than most tests do.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { HttpService } from '@tripline/kit/lifecycle'
import { startPaperExchange } from '../src/app.ts'
import { Config } from '../src/config.ts'

const running = new Map<string, HttpService>()

/** Starts an exchange with these settings; returns its port. */
async function start(settings: unknown): Promise<number> {
  const exchange = await startPaperExchange(Config.parse(settings))
  running.set(`${exchange.port}`, exchange)
  return exchange.port
}

/** Stops the exchange on this port. */
async function stop(port: string): Promise<void> {
  const exchange = running.get(port)
  running.delete(port)
  await exchange?.stop()
}

// It closes no connection: a caller may be about to use it.
createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  try {
    const port = request.url?.slice(1) ?? ''
    if (request.method === 'POST') response.end(`${await start(await json(request))}`)
    else if (request.method === 'DELETE') response.end(`${await stop(port)}`)
    else response.end('ready')
  } catch (error) {
    response.statusCode = 500
    response.end(String(error))
  }
}).listen(Number(process.argv[2]), '127.0.0.1')
