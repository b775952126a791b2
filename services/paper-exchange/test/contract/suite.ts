import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Credentials, type Paper, startPaper } from '../paper.ts'

/** The place of a suite's row: a new account on the suite's exchange. */
export type World = Readonly<{
  paper: Paper
  credentials: Credentials
  /** Holds a symbol's prices until the row is over. */
  pin: (symbol: string, prices: Readonly<Record<string, string>>) => Promise<void>
}>

/** The way a library is pointed at the exchange; connections that a row leaves open are closed after it. */
export type Library<Client> = Readonly<{
  name: string
  connect: (world: World) => Promise<Client>
  close?: (client: Client) => Promise<void>
  /** The number in the latest answer, for libraries that drop it where they know the words. */
  lastCode?: (client: Client) => number | undefined
  /** Whether the number cannot be had where the library knows the words; then only the words are compared. */
  dropsCodes?: boolean
}>

type Row<Client> = Readonly<{
  name: string
  call: (client: Client, world: World) => Promise<unknown>
  balances?: Readonly<Record<string, string>>
}>

/** One operation: what is called, and what its answer must hold, field by field. */
export type Operation<Client> = Row<Client> & Readonly<{ gives: unknown }>

/** One refusal: what is called, the venue's number and, where it matters, its words and what the library makes of it. */
export type Refusal<Client> = Row<Client> & Readonly<{ code: number; says?: string; as?: string }>

const BALANCES = { USDT: '100000', BTC: '2' }

/** Runs every row against an exchange of its own whose prices stand still. */
export function contract<Client>(
  library: Library<Client>,
  operations: readonly Operation<Client>[],
  refusals: readonly Refusal<Client>[] = [],
  settings: Readonly<Record<string, string>> = {},
): void {
  const arena = createArena(library, settings)
  if (operations.length > 0) {
    describe(`${library.name} is given what it asks for`, () => {
      test.each(operations.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
        expect(await arena.run(row)).toMatchObject(row.gives as object)
      })
    })
  }
  if (refusals.length === 0) return
  describe(`${library.name} is refused with the venue's own number`, () => {
    test.each(refusals.map((row) => [`${row.code} ${row.name}`, row] as const))('%s', async (_name, row) => {
      const { code, kind, text } = await arena.fail(row)
      expect({ code, text }).toEqual({ code: row.code, text: expect.stringContaining(row.says ?? '') })
      if (row.as !== undefined) expect(kind).toBe(row.as)
    })
  })
}

type Arena<Client> = Readonly<{
  /** The answer to a row. */
  run: (row: Row<Client>) => Promise<unknown>
  /** Returns the error that a row throws. */
  fail: (row: Refusal<Client>) => Promise<Described>
}>

type Stage<Client> = {
  readonly library: Library<Client>
  paper?: Paper
  readonly clients: Client[]
  readonly pinned: Set<string>
  readonly opened: string[]
}

function createArena<Client>(
  library: Library<Client>,
  settings: Readonly<Record<string, string>>,
): Arena<Client> {
  const stage: Stage<Client> = { library, clients: [], pinned: new Set(), opened: [] }
  beforeAll(async () => {
    stage.paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off', ...settings })
  })
  afterEach(async () => await clear(stage))
  afterAll(async () => await stage.paper?.stop())
  return {
    run: async (row) => await row.call(...(await enter(stage, row))),
    fail: async (row) => {
      const [client, world] = await enter(stage, row)
      const thrown = await row.call(client, world).then(
        (answer) => ({ accepted: answer }),
        (error: unknown) => error,
      )
      const described = describeError(thrown)
      const code = described.code ?? library.lastCode?.(client)
      return { ...described, code: library.dropsCodes && row.says !== undefined ? row.code : code }
    },
  }
}

async function enter<Client>(stage: Stage<Client>, row: Row<Client>): Promise<readonly [Client, World]> {
  const { paper, library } = stage
  if (!paper) throw new Error('the exchange has not started')
  const credentials = await paper.open({ ...(row.balances ?? BALANCES) })
  stage.opened.push(credentials.apiKey)
  const pin: World['pin'] = async (symbol, prices) => {
    stage.pinned.add(symbol)
    const { status, body } = await paper.control('PUT', `prices/${symbol}`, prices)
    if (status >= 300) throw new Error(`pinning failed: ${JSON.stringify(body)}`)
  }
  const world = { paper, credentials, pin }
  const client = await library.connect(world)
  stage.clients.push(client)
  return [client, world]
}

async function clear<Client>({ library, paper, clients, pinned, opened }: Stage<Client>): Promise<void> {
  for (const client of clients.splice(0)) await library.close?.(client)
  for (const symbol of pinned) await paper?.control('DELETE', `prices/${symbol}`)
  pinned.clear()
  // Resting orders would take the next row's fills.
  for (const apiKey of opened.splice(0)) await paper?.control('POST', `accounts/${apiKey}/reset`)
}

type Described = Readonly<{ code: number | undefined; kind: string; text: string }>

/** Returns the parts of a library's error: the venue's number in it, its own name for it, and its words. */
function describeError(error: unknown): Described {
  if (error instanceof Error) {
    const found = /"(?:code|retCode)":\s*"?(-?\d+)/.exec(error.message)?.[1]
    return {
      code: found === undefined ? undefined : Number(found),
      kind: error.constructor.name,
      text: error.message,
    }
  }
  const text = JSON.stringify(error) ?? String(error)
  const found = /"(?:code|retCode)":\s*"?(-?\d+)/.exec(text)?.[1]
  return { code: found === undefined ? undefined : Number(found), kind: typeof error, text }
}

/** The client's answer as soon as it is as expected, asked again and again until the deadline. */
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  isEnough: (value: Value) => boolean,
  deadlineMs = 40_000,
): Promise<Value> {
  const end = Date.now() + deadlineMs
  for (;;) {
    const value = await read()
    if (isEnough(value)) return value
    if (Date.now() > end) throw new Error(`it did not happen in time: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
