import { setTimeout as sleep } from 'node:timers/promises'
import { crowdTargetOf, type Member, openCrowd } from '../people/crowd.ts'
import { type Random, randomOf } from '../random.ts'
import { waitFor } from '../wait-for.ts'
import type { Bed } from './bed.ts'
import { type FaultName, faults } from './faults.ts'
import { exitOf, orderOf, send, startFlow, waitOf } from './flow.ts'
import { acceptedIds, codeOf, type Judgement, judge, type Message, type Row } from './judge.ts'
import { type Seen, startLooking } from './look.ts'

const senders = 6
const holders = 3
/** Messages in a row, each answered with its end at the first attempt, that show a whole product. */
const wholeAfter = 6
const wholeWithinMs = 120_000
/** The aim: this long after the product is whole, each alert has its end. */
const reportedWithinMs = 60_000
const lookAgainMs = 500

/** The people of a bed: those who send on and on, those who hold a position over a blow, and one whose alert waits over it. */
export interface People {
  waiting: Member
  senders: readonly Member[]
  holders: readonly Member[]
}

/** The figures of one blow. */
export interface Figures extends Judgement {
  fault: FaultName
  did: string
  accepted: number
  orders: number
  /** Counts of the accepted alerts that the history has as failed, by their code. */
  failed: ReadonlyMap<string, number>
  /** The time from the end of the blow until all is answered as usual. */
  wholeMs: number | undefined
  /** The time from then until each accepted alert has its end. */
  reportedMs: number | undefined
  /** Alerts that are still in their stream. */
  left: number
}

/** Returns the numbers of one round, whatever came before it: a run goes on from any of its rounds. */
export function randomOfRound({
  seed,
  round,
  fault,
}: {
  seed: number
  round: number
  fault: FaultName
}): Random {
  return randomOf(seed + round * 1_000_003 + Object.keys(faults).indexOf(fault) * 7919)
}

/** Opens the people of a bed. */
export async function openPeople(bed: Bed): Promise<People> {
  const [waiting, ...all] = await openCrowd(crowdTargetOf(bed.product), bed.ops, 1 + senders + holders, 1)
  if (waiting === undefined) throw new Error('There is nobody')
  return { waiting, senders: all.slice(0, senders), holders: all.slice(senders) }
}

/** Strikes a bed once under load and judges the outcome. */
export async function runRound(bed: Bed, people: People, fault: FaultName, random: Random): Promise<Figures> {
  const { ordersSoFar, look } = await startLooking(bed, [
    people.waiting,
    ...people.senders,
    ...people.holders,
  ])
  const flow = startFlow(people.senders)
  try {
    const strike = await faults[fault](bed, random)
    const waiting = sent(waitOf(people.waiting))
    const held = await hold(people.holders, random)
    const mark = await ordersSoFar()
    const struckAt = performance.now()
    const did = await strike()
    const times = await untilWhole(flow.messages)
    // An exit that comes back later still meets a position that was opened when all was well again.
    const later = await enter(held.flat, 0)
    await flow.stop()
    const messages = [...flow.messages, await waiting, ...held.messages, ...later]
    const see = async () => {
      const seen = await look(mark)
      return { seen, judgement: judge({ ...seen, struckAt, messages }) }
    }
    return { fault, did, ...figuresOf(messages, times, await untilJudged(times.wholeAt, see)) }
  } finally {
    await flow.stop()
  }
}

interface Times {
  healedAt: number
  wholeAt: number | undefined
}

/** Waits from the end of a blow until the product is whole, or for two minutes. */
async function untilWhole(messages: readonly Message[]): Promise<Times> {
  const healedAt = performance.now()
  const isWhole = (): number | undefined => wholeSince(messages, healedAt)
  const wholeAt = await waitFor(isWhole, { deadlineMs: wholeWithinMs }).catch(() => undefined)
  return { healedAt, wholeAt }
}

interface Judged {
  seen: Seen
  judgement: Judgement
  /** The moment from which each accepted alert has its end. */
  reportedAt: number | undefined
}

/** Looks until nothing that is awaited can change the judgement any more, or the time for it is over. */
async function untilJudged(
  wholeAt = performance.now(),
  see: () => Promise<Pick<Judged, 'seen' | 'judgement'>>,
): Promise<Judged> {
  const deadline = wholeAt + reportedWithinMs
  let reportedAt: number | undefined
  for (;;) {
    // A service that has just begun may not answer at once.
    const { seen, judgement } = await waitFor(see)
    if (judgement.lostSilently.length === 0) reportedAt ??= performance.now()
    if ((isFinal(judgement) && seen.left === 0) || performance.now() > deadline)
      return { seen, judgement, reportedAt }
    await sleep(lookAgainMs)
  }
}

function figuresOf(
  messages: readonly Message[],
  { healedAt, wholeAt }: Times,
  { seen, judgement, reportedAt }: Judged,
): Omit<Figures, 'fault' | 'did'> {
  const ids = new Set(messages.flatMap(acceptedIds))
  const between = (from = Number.NaN, to = Number.NaN): number | undefined => {
    const ms = Math.round(Math.max(0, to - from))
    return Number.isNaN(ms) ? undefined : ms
  }
  return {
    accepted: ids.size,
    orders: seen.orders.length,
    failed: failuresOf(seen.rows.filter(({ alertId }) => ids.has(alertId))),
    wholeMs: between(healedAt, wholeAt),
    reportedMs: between(wholeAt, reportedAt),
    left: seen.left,
    ...judgement,
  }
}

/** The violations of a round in words; a sound product has none. */
export function violationsOf({ doubled, late, lostSilently, untrue, wholeMs, left }: Figures): string[] {
  return [
    ...doubled.map((text) => `doubled: ${text}`),
    ...late.map((text) => `late: ${text}`),
    ...lostSilently.map((text) => `lost in silence: ${text}`),
    ...untrue.map((text) => `untrue: ${text}`),
    ...(wholeMs === undefined ? ['the product is not whole after two minutes'] : []),
    ...(left > 0 ? [`${left} alerts are still in their stream`] : []),
  ]
}

/** True where nothing that is awaited can change the judgement any more. */
function isFinal({ doubled, late, lostSilently, untrue }: Judgement): boolean {
  return lostSilently.length === 0 && (untrue.length === 0 || doubled.length + late.length > 0)
}

/** Messages that were sent before a blow, and the people whose position is closed. */
interface Held {
  messages: Message[]
  flat: readonly Member[]
}

/** Everybody closes what is held, and closes again where there is nothing; one enters again right before the blow. */
async function hold([first, ...flat]: readonly Member[], random: Random): Promise<Held> {
  const [place, beforeBlowMs] = [random.between(0, 9) * 2, random.between(0, 1500)]
  const all = first === undefined ? flat : [first, ...flat]
  const exits = await Promise.all(
    all.map(async (holder) => [await sent(exitOf(holder)), await sent(exitOf(holder))]),
  )
  await sleep(beforeBlowMs)
  return { messages: [...exits.flat(), ...(await enter(first === undefined ? [] : [first], place))], flat }
}

async function enter(members: readonly Member[], place: number): Promise<Message[]> {
  return await Promise.all(members.map(async (member) => await sent(orderOf(member, place))))
}

async function sent(message: Message): Promise<Message> {
  await send(message)
  return message
}

/** When the first of enough messages in a row was sent that were each answered with their end at once. */
function wholeSince(messages: readonly Message[], from: number): number | undefined {
  const since = messages.filter(({ sentAt }) => sentAt >= from)
  const isGood = ({ attempts: [first] }: Message): boolean => first?.doneAt !== undefined
  for (let index = 0; index + wholeAfter <= since.length; index++) {
    const row = since.slice(index, index + wholeAfter)
    if (row.every(isGood)) return row[0]?.sentAt
  }
  return undefined
}

function failuresOf(rows: readonly Row[]): Map<string, number> {
  const failed = rows.filter(({ status }) => status === 'failed')
  const byCode = Map.groupBy(failed, (row) => codeOf(row) ?? 'without a code')
  return new Map([...byCode].map(([code, { length }]) => [code, length]))
}
