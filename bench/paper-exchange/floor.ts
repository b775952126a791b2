// The limit: a process that answers every request with a body as long as an order's, and does nothing else.
import { createServer } from 'node:http'

const body = JSON.stringify({ answer: 'x'.repeat(600) })

const server = createServer({ keepAliveTimeout: 75_000, noDelay: true }, (request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
})

process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})
