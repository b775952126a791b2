import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { PaperAccount } from '@tripline/testkit/paper-control'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { readOptions } from '../probe/options.ts'
import { type Findings, probe } from '../probe/probe.ts'
import { describe as describeFindings, exitCodeOf } from '../probe/report.ts'
import { type RecordedMarket, recordedMarkets } from '../src/venue/read/drift.ts'
import { recordingsIn } from './corpus/recording.ts'
import { replayers } from './corpus/replayers.ts'
import { bybitBends, futuresBends, spotBends } from './venue-probe/bends.ts'
import { type Bend, bentExchange } from './venue-probe/bent-exchange.ts'

let paper: TestPaper
let folder: string

beforeAll(async () => {
  paper = await paperExchange()
  folder = await mkdtemp(join(tmpdir(), 'venue-probe-'))
})
afterAll(async () => {
  await paper.stop()
  await rm(folder, { recursive: true })
})

const screen = {
  say: () => undefined,
  ask: async () => {
    throw new Error('nobody is there')
  },
}

interface Probed {
  findings: Findings
  account: PaperAccount
  credentials: { apiKey: string; secret: string }
}

async function probeAt(url: string, venue: RecordedMarket, ...more: string[]): Promise<Probed> {
  const credentials = await paper.openAccount()
  const out = join(folder, `${venue}-${credentials.apiKey.slice(0, 6)}`)
  const options = readOptions(['--venue', venue, '--base-url', url, '--yes', '--out', out, ...more])
  if (options === undefined) throw new Error('no options')
  const findings = await probe(options, credentials, screen, new AbortController().signal)
  return { findings, account: await paper.account(credentials.apiKey), credentials }
}

const worded = ({ verdicts }: Findings, word: string): string[] =>
  verdicts.filter(({ verdict }) => verdict === word).map(({ id, seen }) => `${id}: ${seen}`)
const idsOf = ({ verdicts }: Findings, word: string): string[] =>
  verdicts.filter(({ verdict }) => verdict === word).map(({ id }) => id)

function expectNothingLeft({ openOrders, positions }: PaperAccount): void {
  expect(openOrders).toEqual([])
  expect(positions).toEqual([])
}

/** Lets the price of a symbol rise a little at a time, so that what waits beside it is reached. */
async function rise(symbol: string): Promise<() => Promise<void>> {
  let cents = 300_000
  let pinned: Promise<void> = Promise.resolve()
  const turn = (): void => {
    cents += 50
    pinned = paper.pinPrices(symbol, { bid: (cents / 100).toFixed(2), ask: (cents / 100 + 0.1).toFixed(2) })
  }
  turn()
  const timer = setInterval(turn, 400)
  return async () => {
    clearInterval(timer)
    await pinned
    await paper.unpinPrices(symbol)
  }
}

describe('at an exchange that is as we take it to be', () => {
  // The least lot of this market is worth more than its least value.
  const cannot: Partial<Record<RecordedMarket, string[]>> = { 'bybit-linear': ['refused.value'] }

  test.each(recordedMarkets)('all holds on %s, and nothing is left', async (venue) => {
    const still = venue === 'binance-futures' ? await rise('ETHUSDT') : async () => undefined
    const { findings, account, credentials } = await probeAt(paper.url, venue, '--trigger-wait', '20')
    await still()
    expect(worded(findings, 'differs')).toEqual([])
    expect(idsOf(findings, 'not tried')).toEqual(cannot[venue] ?? [])
    expect(exitCodeOf(findings)).toBe(0)
    expectNothingLeft(account)
    await expectRecorded(findings, credentials)
  })

  test('a stop that the market passed before it came there is sent again, beside the market', async () => {
    let passed = 0
    const fast: Bend = {
      instead: ({ method, path, sent }) =>
        method === 'POST' && path === '/fapi/v1/algoOrder' && sent.includes('side=BUY') && ++passed <= 2
          ? { status: 400, text: '{"code":-2021,"msg":"Order would immediately trigger."}' }
          : undefined,
    }
    const bent = await bentExchange(paper.url, [fast])
    const still = await rise('ETHUSDT')
    const { findings, account } = await probeAt(bent.url, 'binance-futures', '--trigger-wait', '20')
    await still()
    await bent.stop()
    // On a slow machine the market itself passes some more of them.
    expect(passed).toBeGreaterThan(2)
    expect(idsOf(findings, 'not tried')).toEqual([])
    expectNothingLeft(account)
  })

  async function expectRecorded(findings: Findings, credentials: object): Promise<void> {
    const { folder: out, files } = findings
    const recording = join(out, 'recording')
    const recordings = await recordingsIn(recording)
    expect(recordings).toHaveLength(files)
    expect(files).toBeGreaterThan(25)
    const all = replayers()
    const unread: string[] = []
    for (const one of recordings) {
      const { isRead, value } = await all.replay(one)
      if (!isRead) unread.push(`${one.name}: ${JSON.stringify(value)}`)
    }
    await all.stop()
    expect(unread).toEqual([])
    const texts = await Promise.all(recordings.map(({ name }) => readFile(join(recording, name), 'utf8')))
    // The shown text is cut off, and maybe a key with it.
    for (const secret of Object.values<string>({ ...credentials }))
      expect([...texts, JSON.stringify(findings)].join()).not.toContain(secret.slice(0, 12))
  }
})

describe('at an exchange that differs', () => {
  async function differences(
    venue: RecordedMarket,
    bends: Readonly<Record<string, Bend>>,
  ): Promise<string[]> {
    const bent = await bentExchange(paper.url, Object.values(bends))
    const { findings, account } = await probeAt(bent.url, venue)
    await bent.stop()
    expectNothingLeft(account)
    expect(exitCodeOf(findings)).toBe(1)
    return idsOf(findings, 'differs').sort()
  }

  test('six ways are named on Binance USDⓈ-M', async () => {
    expect(await differences('binance-futures', futuresBends)).toEqual(Object.keys(futuresBends).sort())
  })

  test('three ways are named on Binance spot, late reads among them', async () => {
    const match = { wire: 'binance-spot', path: '/api/v3/allOrders' }
    const late = await paper.armFault({ match, action: 'read-lag', ms: 2500 })
    const bends = spotBends()
    expect(await differences('binance-spot', bends)).toEqual(['lag.lists', ...Object.keys(bends)].sort())
    await paper.removeFault(late)
  })

  test('orders and positions that it could not end are named, with their place', async () => {
    let isDeaf = false
    const deaf: Bend = {
      instead: ({ method, path, sent }) => {
        if (method !== 'DELETE' || path !== '/fapi/v1/algoOrder') return undefined
        isDeaf ||= sent.includes('clientAlgoId=')
        return isDeaf ? { status: 400, text: '{"code":-2011,"msg":"Unknown order sent."}' } : undefined
      },
    }
    const bent = await bentExchange(paper.url, [deaf])
    const { findings, account } = await probeAt(bent.url, 'binance-futures')
    await bent.stop()
    expect(exitCodeOf(findings)).toBe(2)
    expect(account.openOrders.length).toBeGreaterThan(0)
    for (const { clientOrderId } of account.openOrders)
      expect(describeFindings(findings)).toContain(`the open order ${clientOrderId}`)
  })

  test('five ways are named on Bybit', async () => {
    const broken = await differences('bybit-linear', bybitBends)
    // An id that is taken twice shows with a filled order too.
    expect(broken).toEqual([...Object.keys(bybitBends), 'id.filled'].sort())
  })
})

describe('where it is stopped', () => {
  const root = join(import.meta.dirname, '../../..')

  test.each([
    ['binance-futures', 'fill', 'SIGINT'],
    ['binance-spot', 'limit', 'SIGTERM'],
    ['bybit-spot', 'fill', 'SIGINT'],
  ] as const)('%s leaves nothing after a signal behind its step %s', async (venue, step, signal) => {
    const { apiKey, secret } = await paper.openAccount()
    const args = [
      '--venue',
      venue,
      '--base-url',
      paper.url,
      '--yes',
      '--out',
      join(folder, `${venue}-stopped`),
    ]
    const child = spawn(process.execPath, [join(root, 'scripts/venue-probe.ts'), ...args], {
      env: { VENUE_API_KEY: apiKey, VENUE_API_SECRET: secret },
    })
    let said = ''
    let isSent = false
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk
      if (!said.includes(`\n  ${step} `) || isSent) return
      isSent = true
      child.kill(signal)
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(said).toContain('Nothing is left open.')
    expect(code).toBe(2)
    expectNothingLeft(await paper.account(apiKey))
  })
})

describe('its arguments', () => {
  test('a key among them is refused, whatever it stands behind', () => {
    const key = 'a1B2c3D4e5F6g7H8i9J0'
    for (const args of [
      ['--api-key', key],
      [`--key=${key}`],
      [key],
      ['--symbol', key],
      ['--secret', 'short'],
    ])
      expect(() => readOptions(['--venue', 'binance-spot', '--testnet', ...args])).toThrow(
        /never taken from an argument/,
      )
  })

  test('a network has to be said, but for an exchange on this machine', () => {
    expect(() => readOptions(['--venue', 'binance-spot'])).toThrow(/Which network/)
    expect(() => readOptions(['--venue', 'binance-spot', '--base-url', 'https://api.binance.com'])).toThrow(
      /Which network/,
    )
    expect(readOptions(['--venue', 'binance-spot', '--base-url', 'http://127.0.0.1:8090'])?.network).toBe(
      'testnet',
    )
  })
})
