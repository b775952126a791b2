import type { Credentials } from '@tripline/proto/user-config'
import { Agent } from 'undici'
import { type Drift, onDrift } from '../src/venue/read/drift.ts'
import { type CleanUp, cleanUp } from './clean-up.ts'
import type { Line, Sent } from './exchange.ts'
import { createJudge, type Verdict } from './judge.ts'
import type { Lag } from './lag.ts'
import type { ProbedMarket } from './market.ts'
import { createMask } from './mask.ts'
import { addressFor, type OpenedProduct, openProduct } from './opened.ts'
import type { ProbeOptions } from './options.ts'
import { askLeave, type Preparation, prefix, prepare } from './preparation.ts'
import { probedMarkets } from './probed-markets.ts'
import { readAs } from './read-as.ts'
import { createRecorder } from './recorder.ts'
import type { Run } from './run-context.ts'
import type { Screen } from './screen.ts'
import { pause } from './transport.ts'

/** A run's findings. */
export interface Findings {
  verdicts: Verdict[]
  lags: Lag[]
  cleanUp: CleanUp
  /** True where it was stopped before its end. */
  wasStopped: boolean
  folder: string
  files: number
}

/** Probes a market; what it places it ends, also where the signal stops it. */
export async function probe(
  options: ProbeOptions,
  credentials: Credentials,
  screen: Screen,
  signal: AbortSignal,
): Promise<Findings> {
  const { venue, symbol, baseUrl, network } = options
  const { market, open } = probedMarkets[venue]
  const address = addressFor(options, market)
  const runId = Date.now().toString(36).slice(-6)
  const mask = createMask([credentials.apiKey, credentials.secret], prefix)
  const where = baseUrl === undefined ? network : 'another address'
  const seen = readAs(createRecorder(venue, where, mask), venue)
  const dispatcher = new Agent({ connect: { timeout: 10_000 } })
  let lostAt = Number.NEGATIVE_INFINITY
  const onLost = (): void => {
    lostAt = performance.now()
  }
  const line: Line = {
    venue,
    symbol,
    address,
    credentials,
    dispatcher,
    recorder: seen.recorder,
    signal,
    onLost,
  }
  const probed = open(line)
  const drifts: Drift[] = []
  const stopListening = onDrift((drift) => void drifts.push(drift))
  screen.say(`Asking ${new URL(address.rest).host} about ${symbol} ...`)
  await probed.measureClock()
  const product = await openProduct(market, address, credentials)
  try {
    const prepared = await prepare(probed, product, line)
    await askLeave(options, prepared, screen)
    const parts = { options, line, probed, product, prepared, runId, screen, lastLostAt: () => lostAt }
    const ran = await runAndTidy(parts)
    judgeAnswers(ran.run, drifts, seen.unread)
    const folder =
      options.out ?? `.data/venue-probe/${venue}-${new Date().toISOString().slice(0, 19).replace(/:/g, '')}`
    const files = await seen.recorder.write(`${folder}/recording`)
    const verdicts = ran.judge.verdicts((step) => ran.fates.get(step) ?? 'its step was not reached')
    const { cleanUp: ended, wasStopped } = ran
    return { verdicts, lags: ran.run.lags, cleanUp: ended, wasStopped, folder, files }
  } finally {
    stopListening()
    probed.close()
    await product.close()
    await dispatcher.destroy()
  }
}

interface Parts {
  options: ProbeOptions
  line: Line
  probed: ProbedMarket
  product: OpenedProduct
  prepared: Preparation
  runId: string
  screen: Screen
  lastLostAt: () => number
}

async function runAndTidy(parts: Parts) {
  const { options, line, probed, product, prepared, runId, screen } = parts
  const judge = createJudge<string>(probed.assumptions, line.venue)
  const sent: Sent[] = []
  let count = 0
  const newId = (): string => `${prefix}${runId}${String(++count).padStart(3, '0')}`
  const run: Run<string> = {
    ...{ line, judge, product, newId, lags: [], triggerMs: options.triggerMs },
    ...{
      account: probed.account,
      rules: prepared.rules,
      size: prepared.size,
      sellable: prepared.size.quantity,
    },
    note: (clientId) => {
      const noted: Sent = { clientId }
      sent.push(noted)
      return noted
    },
  }
  const fates = new Map<string, string>()
  await runSteps(parts, run, fates)
  screen.say(line.signal.aborted ? '\nStopped. Ending what is its own ...' : '\nEnding what is its own ...')
  const wasStopped = line.signal.aborted
  return { judge, run, fates, wasStopped, cleanUp: await tidyUp(parts, run, sent) }
}

async function runSteps(
  { probed, line, screen }: Parts,
  run: Run<string>,
  fates: Map<string, string>,
): Promise<void> {
  let stream: Awaited<ReturnType<ProbedMarket['openStream']>> | undefined
  try {
    stream = await probed.openStream()
    for (const { name, run: step } of probed.steps) {
      if (line.signal.aborted) break
      const begunAt = performance.now()
      fates.set(name, 'no case of it came')
      try {
        await step(run)
        screen.say(`  ${name.padEnd(12)} ${((performance.now() - begunAt) / 1000).toFixed(1)} s`)
      } catch (error) {
        const why = line.signal.aborted ? 'stopped' : `its step ended: ${(error as Error).message}`
        fates.set(name, why)
        screen.say(`  ${name.padEnd(12)} ${why}`)
      }
    }
  } catch (error) {
    screen.say(`  The private stream cannot be opened: ${(error as Error).message}`)
  } finally {
    stream?.close()
  }
}

// Longer than the receive window: what had no answer is carried out by then, or never.
const lostMs = 4500
// Reads are taken to be a little later than the latest that was measured.
const moreMs = 500
const neverShownMs = 15_000
const mostTidyingMs = 120_000

async function tidyUp(
  { line, probed, prepared, lastLostAt }: Parts,
  run: Run<string>,
  sent: Sent[],
): Promise<CleanUp> {
  line.signal = AbortSignal.timeout(mostTidyingMs)
  const waitMs = lastLostAt() + lostMs - performance.now()
  if (waitMs > 0) await pause(waitMs, line.signal)
  const { rules, size } = prepared
  const settleMs = moreMs + Math.max(0, ...run.lags.map(({ shownMs = neverShownMs }) => shownMs))
  const task = { account: probed.account, rules, sent, prefix, newId: run.newId, bid: size.bid, settleMs }
  return await cleanUp({ ...task, signal: line.signal })
}

function judgeAnswers({ judge }: Run<string>, drifts: readonly Drift[], unread: readonly string[]): void {
  const differences = [...drifts.map(({ call, field, value }) => `${call}: ${field} is ${value}`), ...unread]
  const all = [...new Set(differences)]
  judge.check(
    'answers.known',
    all.length === 0,
    all.length === 0 ? 'all was read' : all.slice(0, 6).join('; '),
  )
}
