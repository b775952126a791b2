/** A request whose bytes are complete. Query and body are stored byte for byte, one character a byte. */
export type Incoming = Readonly<{
  method: string
  path: string
  query: string
  body: string
  headers: NodeJS.Dict<string | string[]>
  remoteAddress: string
  receivedNs: bigint
}>

/** The answer to send back. */
export type Answer = Readonly<{ status: number; body: string; headers?: Readonly<Record<string, string>> }>

/** The ways in which a request can end. */
export type Reply = Readonly<{
  send: (answer: Answer) => void
  /** Sends the headers and half of the body, and the rest once the promise settles. */
  stall: (answer: Answer, over: Promise<void>) => Promise<void>
  /** Leaves the request without an answer; over HTTP that closes the connection. */
  drop: () => void
  /** Closes the connection without a word. */
  hangUp: () => void
}>

/** Takes a request with its path without base, and ends it through the reply. */
export type Wire = (incoming: Incoming, reply: Reply) => void

/** An answer with a JSON body. */
export function json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, body: JSON.stringify(value), ...(headers && { headers }) }
}

/** The JSON of a request, an empty object where it has none; undefined where it is not JSON. */
export function readJson({ body }: Incoming): { value: unknown } | undefined {
  if (body === '') return { value: {} }
  try {
    return { value: JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) }
  } catch {
    return undefined
  }
}
