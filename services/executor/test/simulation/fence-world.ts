import {
  type EpochRow,
  type Expectation,
  expectationOf,
  isDatabaseAway,
  rowWord,
  type SeenEpoch,
  seeEpoch,
  showsLoss,
} from '../../src/domain/sharing/epoch.ts'
import {
  type BothClocks,
  isHeld,
  isStoreSilent,
  mayClaim,
  renewAgainMs,
  renewalMs,
  type SeenLease,
  usualTerm,
} from '../../src/domain/sharing/lease.ts'
import {
  confirm,
  type Failures,
  isStanding,
  noteFailure,
  reachOf,
  type Standing,
  unconfirmed,
} from '../../src/domain/sharing/standing.ts'
import { type Random, randomOf } from './random.ts'
import { createTimeline, type Story, type Timeline } from './timeline.ts'

/** The decisions, so that a test can see the effect of a wrong one. */
export interface FenceRules {
  mayClaim: typeof mayClaim
  expectationOf: typeof expectationOf
  confirm: typeof confirm
  isStanding: typeof isStanding
  showsLoss: typeof showsLoss
  rowWord: typeof rowWord
  /** Whether a row is renewed: only while the bus confirms the lease. */
  isRenewed: (standing: Standing, at: BothClocks) => boolean
}

/** The rules as they have to be. */
export const soundFence: FenceRules = {
  mayClaim,
  expectationOf,
  confirm,
  isStanding,
  showsLoss,
  rowWord,
  isRenewed: ({ until }, at) => isHeld(until.bus, at),
}

interface ModelLease {
  owner: string
  revision: number
  isReleased: boolean
  epoch: number
}

type ModelRow = Omit<EpochRow, 'partition'> & { renewedAt: number }

/** A side of the bus, usually the only one, with every state it had. */
interface Side {
  lease: ModelLease | undefined
  past: (ModelLease | undefined)[]
}

interface Process {
  name: string
  isDead: boolean
  frozenUntil: number
  cutFrom: { bus: number; database: number }
  side: number
  held: Holding | undefined
  seenLease: (SeenLease & { owner: string; epoch: number }) | undefined
  storeSeenAt: number
  seenRow: SeenEpoch | undefined
  areRowsSeen: boolean
  answeredAt: number
  failures: Failures | undefined
  wasSlow: boolean
}

interface Holding {
  revision: number
  epoch: number
  standing: Standing
}

interface FenceWorld {
  timeline: Timeline
  random: Random
  rules: FenceRules
  sides: [Side, Side]
  row: ModelRow | undefined
  pastRows: (ModelRow | undefined)[]
  away: { bus: number; database: number }
  isBusLying: boolean
  processes: Process[]
  count: number
  /** Owners by epoch, as they held. */
  owners: Map<number, string>
  lastEpoch: number
  faults: string[]
  diary: string[]
  endsAt: number
}

/** Outcome of a run: what must not be, and the events. */
interface FenceOutcome {
  faults: readonly string[]
  diary: readonly string[]
}

/** In the end nothing more happens, for long enough that an owner is there again. */
const calmMs = 16_000
const aliveCount = 3
/** A dead owner is followed within its takeover and a second, and a claimant that died on the way in as much again. */
const followedMs = usualTerm.takeoverMs + 1000

type Scenario = 'mishaps' | 'bus rolled back' | 'bus split' | 'database rolled back' | 'both away'
const scenarios: readonly Scenario[] = [
  'mishaps',
  'bus rolled back',
  'bus split',
  'database rolled back',
  'both away',
]

/** Plays one run. */
export function simulateFence(seed: number, rules: FenceRules = soundFence): FenceOutcome {
  const random = randomOf(seed)
  const timeline = createTimeline()
  const endsAt = random.between(20_000, 40_000)
  const scenario = scenarios[Math.abs(seed) % scenarios.length] ?? 'mishaps'
  const world: FenceWorld = {
    timeline,
    random,
    rules,
    sides: [
      { lease: undefined, past: [] },
      { lease: undefined, past: [] },
    ],
    row: undefined,
    pastRows: [],
    away: { bus: 0, database: 0 },
    isBusLying: scenario.startsWith('bus'),
    processes: [],
    count: 0,
    owners: new Map(),
    lastEpoch: 0,
    faults: [],
    diary: [],
    endsAt,
  }
  for (let index = 0; index < aliveCount; index++) begin(world)
  timeline.begin(look(world))
  timeline.begin(meddle(world, scenario))
  timeline.play(endsAt + 1)
  return { faults: world.faults, diary: world.diary }
}

function note({ timeline, diary }: FenceWorld, text: string): void {
  diary.push(`${timeline.now()} ${text}`)
}

function clocksIn({ timeline }: FenceWorld): BothClocks {
  return { monotonic: timeline.now(), wall: timeline.now() }
}

function begin(world: FenceWorld): void {
  const { timeline, processes } = world
  const process: Process = {
    name: `p${++world.count}`,
    isDead: false,
    frozenUntil: 0,
    cutFrom: { bus: 0, database: 0 },
    side: 0,
    held: undefined,
    seenLease: undefined,
    storeSeenAt: timeline.now(),
    seenRow: undefined,
    areRowsSeen: false,
    answeredAt: Number.NEGATIVE_INFINITY,
    failures: undefined,
    wasSlow: false,
  }
  processes.push(process)
  for (const story of [renewing, beating, watching, claiming]) timeline.begin(story(world, process))
}

/** Lets time pass for a process, longer where it stands still; false once it is dead. */
function* pass({ timeline }: FenceWorld, process: Process, ms: number): Story<boolean> {
  yield ms
  while (process.frozenUntil > timeline.now()) yield process.frozenUntil - timeline.now()
  return !process.isDead
}

/** A request to a witness: what it does there happens also where its answer is lost; undefined then. */
function* request<Value>(
  world: FenceWorld,
  process: Process,
  witness: 'bus' | 'database',
  act: () => Value,
): Story<{ value: Value } | undefined> {
  const { random, timeline } = world
  const isCut = (): boolean => Math.max(world.away[witness], process.cutFrom[witness]) > timeline.now()
  const deadlineMs = witness === 'bus' ? 400 : 1000
  // A bus that lies takes a database that can be asked: of two statements in a row one is not slow.
  const isQuick = witness === 'database' && world.isBusLying && process.wasSlow
  const slowShare = isQuick || isCalm(world) ? 0 : 0.04
  const thereMs = random.delay(5, 3000, slowShare)
  const backMs = 1 + random.delay(5, 3000, slowShare)
  if (witness === 'database') process.wasSlow = thereMs + backMs > deadlineMs
  let value: { value: Value } | undefined
  if (!isCut()) timeline.begin(arrive())
  yield* pass(world, process, Math.min(thereMs + backMs, deadlineMs))
  return thereMs + backMs > deadlineMs || isCut() ? undefined : value

  function* arrive(): Story {
    yield thereMs
    if (world.away[witness] <= timeline.now()) value = { value: act() }
  }
}

function sideOf({ sides }: FenceWorld, { side }: Process): Side {
  return sides[side === 0 ? 0 : 1]
}

function writeLease(
  world: FenceWorld,
  process: Process,
  lease: Omit<ModelLease, 'revision'>,
  over: number,
): number | undefined {
  const side = sideOf(world, process)
  if ((side.lease?.revision ?? 0) !== over) return undefined
  side.past.push(side.lease)
  side.lease = { ...lease, revision: over + 1 }
  return over + 1
}

/** Renews the lease on the bus. */
function* renewing(world: FenceWorld, process: Process): Story {
  const { rules } = world
  let pauseMs = world.random.between(0, renewalMs)
  while (yield* pass(world, process, pauseMs)) {
    pauseMs = renewAgainMs
    const { held, name } = process
    if (held === undefined) continue
    const sentAt = clocksIn(world)
    const { epoch, revision } = held
    const mine = { owner: name, isReleased: false, epoch }
    const written = yield* request(world, process, 'bus', () => writeLease(world, process, mine, revision))
    if (process.isDead) return
    if (process.held !== held || written === undefined) continue
    if (written.value !== undefined) {
      held.revision = written.value
      confirmBy(world, process, held, 'bus', sentAt)
      pauseMs = renewalMs
      continue
    }
    const read = yield* request(world, process, 'bus', () => sideOf(world, process).lease)
    if (process.isDead) return
    if (process.held !== held || read === undefined) continue
    if (rules.showsLoss(read.value, name, held.epoch)) return die(world, process, 'its lease is lost')
    held.revision = read.value?.revision ?? 0
    pauseMs = 0
  }
}

function confirmBy(
  world: FenceWorld,
  process: Process,
  held: Holding,
  witness: 'bus' | 'database',
  sentAt: BothClocks,
): void {
  const answeredAt = clocksIn(world)
  const database = reachOf(process.failures, answeredAt.monotonic)
  const confirmation = { witness, sentAt, answeredAt, database }
  held.standing = world.rules.confirm(held.standing, confirmation, usualTerm)
}

function die(world: FenceWorld, process: Process, why: string): void {
  note(world, `${process.name} ends: ${why}`)
  process.isDead = true
  world.timeline.begin(beginLater(world))
}

function* beginLater(world: FenceWorld): Story {
  yield world.random.between(100, 3000)
  begin(world)
}

function setRow(world: FenceWorld, row: ModelRow): ModelRow {
  world.pastRows.push(world.row)
  world.row = row
  return row
}

/** The statement by which an owner renews its row and sees it. */
function renewRow(world: FenceWorld, name: string, epoch: number | undefined): ModelRow | undefined {
  const { row } = world
  const renewedAt = world.timeline.now()
  if (epoch === undefined) return row
  if (row === undefined) return setRow(world, { epoch, owner: name, renewal: 1, renewedAt })
  if (row.owner !== name && row.epoch >= epoch) return row
  const renewed = { epoch: Math.max(row.epoch, epoch), owner: name, renewal: row.renewal + 1, renewedAt }
  return setRow(world, renewed)
}

function claimRow(
  world: FenceWorld,
  name: string,
  expected: Expectation,
  known: number,
): ModelRow | undefined {
  const { row } = world
  const isAsExpected =
    row === undefined ||
    row.owner === name ||
    (row.epoch === expected.epoch && (expected.renewal === undefined || expected.renewal === row.renewal))
  if (!isAsExpected) return undefined
  const epoch = Math.max(row?.epoch ?? 0, known) + 1
  note(world, `${name} claims the row: ${epoch}`)
  return setRow(world, { epoch, owner: name, renewal: 0, renewedAt: world.timeline.now() })
}

function giveRowBack(world: FenceWorld, name: string, epoch: number, former: string): void {
  const { row } = world
  if (row?.owner !== name || row.epoch !== epoch) return
  note(world, `${name} gives the row back to ${former}`)
  setRow(world, { epoch: epoch + 1, owner: former, renewal: 0, renewedAt: world.timeline.now() })
}

function see(world: FenceWorld, process: Process, row: ModelRow | undefined): void {
  const at = world.timeline.now()
  if (isDatabaseAway(process.answeredAt, at) && process.seenRow) process.seenRow.unchangedSince = at
  process.answeredAt = at
  process.failures = undefined
  process.areRowsSeen = true
  if (row === undefined) return
  const { renewedAt, ...of } = row
  // The clock of the database is set at times.
  const ageMs = world.random.chance(0.05) ? 60_000 : at - renewedAt
  process.seenRow = seeEpoch(process.seenRow, { ...of, partition: 0, ageMs }, false, at)
}

/** Renews the row while the bus confirms the lease, and sees it. */
function* beating(world: FenceWorld, process: Process): Story {
  const { rules } = world
  let pauseMs = world.random.between(0, renewalMs)
  while (yield* pass(world, process, pauseMs)) {
    const held = process.held
    const sentAt = clocksIn(world)
    const isOnBus = held !== undefined && rules.isRenewed(held.standing, sentAt)
    const epoch = isOnBus ? held.epoch : undefined
    const answer = yield* request(world, process, 'database', () => renewRow(world, process.name, epoch))
    if (process.isDead) return
    pauseMs = answer === undefined ? 100 : renewalMs
    if (answer === undefined) {
      process.failures = noteFailure(process.failures, sentAt.monotonic, world.timeline.now())
      continue
    }
    see(world, process, answer.value)
    const row = process.seenRow
    if (!isOnBus || process.held !== held || row === undefined) continue
    const word = rules.rowWord(row, process.name, held.epoch)
    if (word === 'lost') return die(world, process, 'its row is lost')
    if (word === 'mine') takeRow(world, process, held, row.epoch, sentAt)
    else yield* takeRowBack(world, process, held)
  }
}

function takeRow(
  world: FenceWorld,
  process: Process,
  held: Holding,
  epoch: number,
  sentAt: BothClocks,
): void {
  held.epoch = Math.max(held.epoch, epoch)
  confirmBy(world, process, held, 'database', sentAt)
}

function* takeRowBack(world: FenceWorld, process: Process, held: Holding): Story {
  const { name, seenRow } = process
  const asked = { claimant: name, releasedEpoch: undefined }
  const expected = world.rules.expectationOf(seenRow, asked, world.timeline.now())
  if (expected === undefined) return
  const sentAt = clocksIn(world)
  const claimed = yield* request(world, process, 'database', () =>
    claimRow(world, name, expected, held.epoch),
  )
  if (process.isDead || process.held !== held || claimed?.value === undefined) return
  see(world, process, claimed.value)
  takeRow(world, process, held, claimed.value.epoch, sentAt)
}

function seeAnew({ timeline }: FenceWorld, { seenLease, seenRow }: Process): void {
  if (seenLease && !seenLease.isReleased) seenLease.unchangedSince = timeline.now()
  if (seenRow) seenRow.unchangedSince = timeline.now()
}

/** Follows the lease on the bus. */
function* watching(world: FenceWorld, process: Process): Story {
  let from = world.timeline.now()
  while (yield* pass(world, process, 100)) {
    const at = world.timeline.now()
    if (at - from > 1250) seeAnew(world, process)
    from = at
    const read = yield* request(world, process, 'bus', () => sideOf(world, process).lease)
    if (process.isDead) return
    from = world.timeline.now()
    if (read === undefined) continue
    if (isStoreSilent(process.storeSeenAt, from)) seeAnew(world, process)
    process.storeSeenAt = from
    const lease = read.value
    // The bus reports no removal.
    if (lease === undefined || process.seenLease?.revision === lease.revision) continue
    process.seenLease = { ...lease, unchangedSince: from }
  }
}

/** Claims the partition where both witnesses show it free. */
function* claiming(world: FenceWorld, process: Process): Story {
  const { rules, random, timeline } = world
  while (yield* pass(world, process, 250)) {
    const at = timeline.now()
    const { seenLease, seenRow, name, held, areRowsSeen } = process
    const isUp = areRowsSeen && process.failures === undefined && !isDatabaseAway(process.answeredAt, at)
    if (held !== undefined || !isUp || isStoreSilent(process.storeSeenAt, at)) continue
    if (!rules.mayClaim(seenLease, at)) continue
    const releasedEpoch = seenLease?.isReleased === true ? seenLease.epoch : undefined
    const expected = rules.expectationOf(seenRow, { claimant: name, releasedEpoch }, at)
    if (expected === undefined) continue
    const known = seenLease?.epoch ?? 0
    const rowSentAt = clocksIn(world)
    const row = yield* request(world, process, 'database', () => claimRow(world, name, expected, known))
    if (process.isDead) return
    if (row?.value === undefined) continue
    see(world, process, row.value)
    const { epoch } = row.value
    if (!isCalm(world) && random.chance(0.05)) return die(world, process, 'it dies between its claims')
    const sentAt = clocksIn(world)
    const mine = { owner: name, isReleased: false, epoch }
    const former = process.seenLease
    const over = former?.revision ?? 0
    // It may have been renewed since the row was asked for.
    const isFree = rules.mayClaim(former, timeline.now()) && (former?.epoch ?? 0) < epoch
    const written = isFree
      ? yield* request(world, process, 'bus', () => writeLease(world, process, mine, over))
      : { value: undefined }
    if (process.isDead) return
    if (written === undefined) continue
    if (written.value === undefined) {
      const read = yield* request(world, process, 'bus', () => sideOf(world, process).lease)
      if (process.isDead) return
      if (read !== undefined && read.value?.revision !== former?.revision)
        process.seenLease = read.value && { ...read.value, unchangedSince: timeline.now() }
      if (former !== undefined)
        yield* request(world, process, 'database', () => giveRowBack(world, name, epoch, former.owner))
      continue
    }
    note(world, `${name} owns it under ${epoch}`)
    process.held = { revision: written.value, epoch, standing: unconfirmed }
    confirmBy(world, process, process.held, 'database', rowSentAt)
    confirmBy(world, process, process.held, 'bus', sentAt)
  }
}

/** Looks every few ms at who would sign: at most one, under an epoch of its own, and in the end one. */
function* look(world: FenceWorld): Story {
  const { processes, owners, rules, endsAt } = world
  let nobodySince = 0
  for (;;) {
    yield 20
    const at = clocksIn(world)
    const signing = processes.filter(
      ({ isDead, frozenUntil, held, failures }) =>
        !isDead &&
        frozenUntil <= at.monotonic &&
        held !== undefined &&
        rules.isStanding(held.standing, at, reachOf(failures, at.monotonic)),
    )
    if (signing.length > 1 && world.faults.length === 0)
      world.faults.push(`${signing.map(({ name }) => name).join(' and ')} hold it at ${at.monotonic}`)
    for (const { name, held } of signing) noteEpoch(world, name, held?.epoch ?? 0)
    if (signing.length > 0) nobodySince = at.monotonic
    if (at.monotonic < endsAt) continue
    if (at.monotonic - nobodySince > 0) world.faults.push(`nobody holds it since ${nobodySince}`)
    if (owners.size === 0) world.faults.push('nobody ever held it')
    return
  }
}

function noteEpoch(world: FenceWorld, name: string, epoch: number): void {
  const { owners, faults } = world
  const owner = owners.get(epoch)
  if (owner !== undefined && owner !== name) faults.push(`${owner} and ${name} have both had epoch ${epoch}`)
  const isNew = owner === undefined
  if (isNew && epoch < world.lastEpoch) faults.push(`${name} has epoch ${epoch} behind ${world.lastEpoch}`)
  owners.set(epoch, name)
  world.lastEpoch = Math.max(world.lastEpoch, epoch)
}

/** Events that befall processes and witnesses, until all is calm in the end. */
function* meddle(world: FenceWorld, scenario: Scenario): Story {
  const { random } = world
  yield random.between(1500, 6000)
  while (!isCalm(world)) {
    if (scenario !== 'mishaps' && random.chance(0.4)) yield* lie(world, scenario)
    else mishap(world, scenario)
    yield random.between(200, 6000)
  }
}

function isCalm({ timeline, endsAt }: FenceWorld): boolean {
  return timeline.now() > endsAt - calmMs
}

function living({ processes }: FenceWorld): Process[] {
  return processes.filter(({ isDead }) => !isDead)
}

function mishap(world: FenceWorld, scenario: Scenario): void {
  const { random, timeline } = world
  const all = living(world)
  const owner = all.find(({ held }) => held !== undefined)
  const victim = random.chance(0.7) && owner !== undefined ? owner : all[random.between(0, all.length - 1)]
  if (victim === undefined) return
  const forMs = random.between(500, 9000)
  // A witness that lies takes the other one to be there.
  const isCutting = scenario === 'mishaps' || scenario === 'both away'
  const kind = random.pick(
    isCutting
      ? (['kill', 'freeze', 'release', 'bus', 'database', 'away'] as const)
      : (['kill', 'freeze', 'release'] as const),
  )
  note(world, `${victim.name}: ${kind} ${forMs}`)
  if (kind === 'kill') die(world, victim, 'killed')
  else if (kind === 'freeze') victim.frozenUntil = timeline.now() + forMs
  else if (kind === 'release') release(world, victim)
  else if (kind === 'away') world.away[random.pick(['bus', 'database'] as const)] = timeline.now() + forMs
  else victim.cutFrom[kind] = timeline.now() + forMs
}

/** Lets go in order: the lease says of which epoch, and nothing is sent any more. */
function release(world: FenceWorld, process: Process): void {
  const { held, name } = process
  if (held === undefined) return
  process.held = undefined
  writeLease(world, process, { owner: name, isReleased: true, epoch: held.epoch }, held.revision)
}

function* lie(world: FenceWorld, scenario: Scenario): Story {
  const { random, timeline, sides } = world
  const [side] = sides
  if (scenario === 'bus rolled back') {
    // The bus begins anew at a state that it had once, or with nothing.
    side.lease = side.past[random.between(0, side.past.length - 1)]
    note(world, `the bus is rolled back to ${JSON.stringify(side.lease)}`)
    // Another lie comes only once what follows from this one is over.
    return yield followedMs
  }
  if (scenario === 'database rolled back') {
    world.row = world.pastRows[random.between(0, world.pastRows.length - 1)]
    note(world, `the database is rolled back to ${JSON.stringify(world.row)}`)
    return yield followedMs
  }
  if (scenario === 'both away') {
    const until = timeline.now() + random.between(500, 5000)
    world.away = { bus: until + random.between(0, 4000), database: until + random.between(0, 4000) }
    note(world, `both are away until ${JSON.stringify(world.away)}`)
    return yield followedMs
  }
  sides[1] = { lease: side.lease && { ...side.lease }, past: [...side.past] }
  for (const process of living(world)) process.side = random.between(0, 1)
  note(
    world,
    `the bus is split: ${living(world)
      .map(({ name, side: of }) => `${name} ${of}`)
      .join(', ')}`,
  )
  yield random.between(1000, 9000)
  const winner = random.pick([0, 1] as const)
  sides[0] = sides[winner]
  for (const process of world.processes) process.side = 0
  note(world, `the bus is one again, that of side ${winner}`)
  yield followedMs
}
