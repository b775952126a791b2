import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { JetStreamFault, StreamRefusal } from '@tripline/kit/bus/acknowledged-publish'
import type { Bus } from '@tripline/kit/bus/bus'
import { withPlacement } from '@tripline/kit/bus/streams'
import { inboxPrefix } from '@tripline/proto/permission'
import { z } from 'zod'

// The server begins once it has looked through the whole stream.
const beginMs = 60_000
/** After this long without a piece the server has given up. */
const silenceMs = 30_000
const pieceBytes = 128 * 1024
const wholeStatus = 204

const Fault = z.object({ error: JetStreamFault })

/** The head of a snapshot, which the server sends and needs again to bring it back. */
export const SnapshotHead = z.object({
  config: z.looseObject({ name: z.string() }),
  state: z.looseObject({ messages: z.number(), last_seq: z.number() }),
})
export type SnapshotHead = z.infer<typeof SnapshotHead>

/** Writes a stream as it is at this moment, with its consumers, into a file; it may be written to meanwhile. */
export async function saveStream(bus: Bus, stream: string, file: string): Promise<SnapshotHead> {
  const inbox = `${inboxPrefix(bus.user)}.${randomUUID()}`
  const pieces = bus.connection.subscribe(inbox)
  try {
    const asked = { deliver_subject: inbox, no_consumers: false, jsck: true, chunk_size: pieceBytes }
    const head = SnapshotHead.parse(await ask(bus, `$JS.API.STREAM.SNAPSHOT.${stream}`, asked))
    await pipeline(contentsOf(pieces, stream), createWriteStream(file))
    return head
  } finally {
    pieces.unsubscribe()
  }
}

type Pieces = ReturnType<Bus['connection']['subscribe']>

/** Yields the contents. A piece is acknowledged when the file took it, so that the server waits for a slow disk. */
async function* contentsOf(pieces: Pieces, stream: string): AsyncGenerator<Uint8Array> {
  let fault: string | undefined = 'nothing more came'
  let silence = setTimeout(() => pieces.unsubscribe(), silenceMs)
  for await (const piece of pieces) {
    clearTimeout(silence)
    if (piece.data.length === 0) {
      fault = faultOf(piece.headers)
      break
    }
    yield piece.data
    piece.respond()
    silence = setTimeout(() => pieces.unsubscribe(), silenceMs)
  }
  if (fault !== undefined) throw new Error(`The server broke off while it described ${stream}: ${fault}`)
}

/** Returns the failure in the last piece, which is empty: newer servers give a status also where all went well. */
function faultOf(headers: { code: number; description: string } | undefined): string | undefined {
  if (headers === undefined || headers.code === wholeStatus) return undefined
  return `${headers.code} ${headers.description}`
}

/** Makes a stream again from such a file; there must be none of its name. */
export async function bringStream(bus: Bus, { config, state }: SnapshotHead, file: string): Promise<void> {
  const { name } = config
  // The empty stream that was taken away may still be counted by the servers.
  const begun = await withPlacement(
    async () => await ask(bus, `$JS.API.STREAM.RESTORE.${name}`, { config, state }),
  )
  const { deliver_subject: subject } = z.object({ deliver_subject: z.string() }).parse(begun)
  for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) {
    const answer = await bus.connection.request(subject, piece, { timeout: silenceMs })
    if (answer.data.length > 0) refuse(answer.json(), name)
  }
  const answer = await bus.connection.request(subject, new Uint8Array(), { timeout: beginMs })
  refuse(answer.json(), name)
}

async function ask(bus: Bus, subject: string, asked: object): Promise<unknown> {
  const answer = await bus.connection.request(subject, JSON.stringify(asked), { timeout: beginMs })
  const said: unknown = answer.json()
  refuse(said, subject)
  return said
}

function refuse(said: unknown, action: string): void {
  const fault = Fault.safeParse(said)
  if (!fault.success) return
  const { description, err_code: code } = fault.data.error
  throw new StreamRefusal(`${action}: ${description}`, code)
}
