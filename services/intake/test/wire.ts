import { connect as connectTcp, createServer, type Socket } from 'node:net'

/** A TCP connection to a server that can be cut, stalled and mended. */
export interface Wire {
  port: number
  /** Connections break, and new ones are closed at once. */
  cut: () => void
  /** Connections stay, but nothing gets through either way, now or later. */
  stall: () => void
  mend: () => void
  stop: () => Promise<void>
}

/** Passes everything on to the server at the address until changed. */
export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'stalled' = 'whole'
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => state === 'whole' && to.write(chunk))
    from.on('close', () => to.destroy())
  }
  const server = createServer({ noDelay: true }, (near) => {
    keep(near)
    if (state === 'cut') return void near.destroy()
    const far = connectTcp({ host: hostname, port: Number(port), noDelay: true })
    keep(far)
    pass(near, far)
    pass(far, near)
  })
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the wire has no port')
  return {
    port: address.port,
    cut: () => {
      state = 'cut'
      breakAll()
    },
    stall: () => {
      state = 'stalled'
    },
    mend: () => {
      // Bytes that were lost in a stall leave a stream that no peer can read on.
      if (state === 'stalled') breakAll()
      state = 'whole'
    },
    stop: async () => {
      breakAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
