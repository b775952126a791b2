// A process that stands for the distance to an exchange: passes on what it reads, piece by piece, after a time.
import { connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'

const { TARGET_PORT, ONE_WAY_MS } = z
  .object({ TARGET_PORT: z.coerce.number(), ONE_WAY_MS: z.coerce.number() })
  .parse(process.env)

// A new connection is good for a request after two round trips: one of TCP, one of TLS 1.3.
const handshakeMs = 4 * ONE_WAY_MS

const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
  const usableAt = performance.now() + handshakeMs
  const far = connect({ port: TARGET_PORT, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  pass(near, far, usableAt)
  pass(far, near, 0)
})

function pass(from: Socket, to: Socket, notBefore: number): void {
  const later = (act: () => void): void => {
    const now = performance.now()
    setTimeout(act, Math.max(now, notBefore) + ONE_WAY_MS - now)
  }
  const pieces: Buffer[] = []
  from.on('data', (piece) => {
    pieces.push(piece)
    // Timers of different lengths may overtake each other, pieces may not.
    later(() => to.write(pieces.shift() ?? ''))
  })
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
  from.on('close', () => later(() => to.destroy()))
}

process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})
