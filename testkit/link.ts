import { connect as connectTcp, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut and mended, to see what an outage does. */
export interface Link {
  /** The server's address, by way of the link. */
  readonly url: string
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Lets nothing more come back on the connections of now; new ones are well. */
  mute(): void
  mend(): void
  stop(): Promise<void>
}

/** A link to the server of the address. */
export async function link(serverUrl: string): Promise<Link> {
  const target = new URL(serverUrl)
  const open = new Set<Socket>()
  const answering = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connectTcp(Number(target.port), target.hostname)
    answering.add(far)
    far.on('close', () => answering.delete(far))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.setNoDelay(true).pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  const cut = (): void => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  const mute = (): void => {
    for (const socket of answering) socket.unpipe().resume()
    answering.clear()
  }
  const mend = (): void => {
    isCut = false
  }
  const stop = async (): Promise<void> => {
    cut()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: await listenFor(server, target), cut, mute, mend, stop }
}

async function listenFor(server: ReturnType<typeof createServer>, target: URL): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The link has no port')
  const url = new URL(target)
  url.host = `127.0.0.1:${address.port}`
  return url.href
}
