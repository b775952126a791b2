import type { Server } from 'node:http'
import type { TrustedProxies } from '../config.ts'
import { openAddressList } from './address-list.ts'

export interface ConnectionLimits {
  /** The most open connections of one address; a trusted proxy, from which many come, is not held to it. */
  perAddress: number
  inAll: number
  trustedProxies: TrustedProxies
  /** Returns the range that counts as one address. */
  rangeOf: (address: string) => string
}

/** Closes connections beyond these limits as they come; those that are open stay, and go when they are idle for long. */
export function limitConnections(
  server: Server,
  { perAddress, inAll, trustedProxies, rangeOf }: ConnectionLimits,
): void {
  const isTrusted = trusts(trustedProxies)
  const open = new Map<string, number>()
  server.maxConnections = inAll
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return
    const range = rangeOf(remoteAddress)
    const count = (open.get(range) ?? 0) + 1
    if (count > perAddress) {
      socket.destroy()
      return
    }
    open.set(range, count)
    socket.once('close', () => {
      const left = (open.get(range) ?? 1) - 1
      if (left > 0) open.set(range, left)
      else open.delete(range)
    })
  })
}

/** Returns whether an address is a trusted proxy: any is, where only the number of proxies is known. */
function trusts(proxies: TrustedProxies): (address: string) => boolean {
  if (!Array.isArray(proxies)) return () => proxies > 0
  return openAddressList(proxies)
}
