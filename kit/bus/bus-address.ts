import { z } from 'zod'

/** The servers of the bus, and the credentials that they ask for, if any. */
export interface BusAddress {
  /** Host and port of each server. */
  servers: string[]
  credentials: { user?: string; pass?: string }
}

const Server = z.url({ protocol: /^(nats|tls)$/, hostname: /./ })

/**
 * The servers of one bus: one address, or several separated by commas. Credentials stand in all addresses alike, or in
 * none.
 */
export const BusUrl = z
  .string()
  .min(1)
  .superRefine((text, { addIssue }) => {
    const addresses = split(text)
    const say = (message: string): void => addIssue({ code: 'custom', message })
    if (!addresses.every((address) => Server.safeParse(address).success))
      return say('is not a list of addresses like nats://one:4222,nats://two:4222')
    if (new Set(addresses.map(userInfo)).size > 1)
      say('has other credentials in some addresses than in others')
  })

/** Splits what `BusUrl` takes. */
export function parseBusUrl(text: string): BusAddress {
  const parsed = split(BusUrl.parse(text)).map((address) => new URL(address))
  const [{ username = '', password = '' } = {}] = parsed
  const servers = [...new Set(parsed.map(({ host }) => host))]
  if (username === '') return { servers, credentials: {} }
  return {
    servers,
    credentials: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  }
}

function split(text: string): string[] {
  return text.split(',').map((address) => address.trim())
}

function userInfo(address: string): string {
  const { username, password } = new URL(address)
  return `${username}:${password}`
}
