import { WebSocket } from 'ws'

/** A socket on which answers find their requests by an id, however many are on their way. */
export interface FrameSocket {
  /** Sends a request at once, and answers what came back for it; calls back when it is on the wire. */
  ask: (makeText: (id: string) => string, onSent: () => void) => Promise<unknown>
  close: () => void
}

/** Opens a socket; `idOf` reads whose answer a frame is. */
export async function openFrameSocket(
  url: string,
  idOf: (frame: unknown) => string | undefined,
): Promise<FrameSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const waiting = new Map<string, (frame: unknown) => void>()
  let asked = 0
  socket.on('message', (bytes) => {
    const frame: unknown = JSON.parse(String(bytes))
    const id = idOf(frame)
    if (id === undefined) return
    waiting.get(id)?.(frame)
    waiting.delete(id)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    ask: (makeText, onSent) => {
      asked++
      const id = `${asked}`
      const { promise, resolve } = Promise.withResolvers<unknown>()
      waiting.set(id, resolve)
      socket.send(makeText(id))
      onSent()
      return promise
    },
    close: () => socket.terminate(),
  }
}
