import {
  actsOn,
  type Facts,
  type Fault,
  meets,
  nextRandom,
  type Occasion,
  seedRandom,
} from '../domain/fault.ts'

/** The faults that wait for their occasion. */
export type Faults = Readonly<{
  add: (fault: Fault) => string
  remove: (id: string) => boolean
  clear: () => void
  list: () => ArmedFault[]
  /**
   * Returns the faults that strike on this occasion (a request by default), oldest first; a counted one is used up by
   * it.
   */
  strike: (facts: Facts, occasion?: Occasion) => StruckFault[]
}>

/** A fault that waits, with how often it may still strike; null stands for without end. */
export type ArmedFault = Readonly<{ id: string; fault: Fault; left: number | null }>

/** A fault that strikes; whatever it holds up goes on once it is removed. */
export type StruckFault = Fault & Readonly<{ removed: AbortSignal }>

type Armed = { id: string; fault: Fault; left: number; random: number; removing: AbortController }

const NONE: StruckFault[] = []

/** No faults yet; each keeps its own count and random numbers. */
export function createFaults(): Faults {
  let armed: Armed[] = []
  let lastId = 0
  return {
    add: (fault) => {
      lastId += 1
      const id = `fault-${lastId}`
      const left = fault.count ?? Number.POSITIVE_INFINITY
      const random = seedRandom(fault.seed ?? lastId)
      armed.push({ id, fault, left, random, removing: new AbortController() })
      return id
    },
    remove: (id) => {
      const meant = armed.find((one) => one.id === id)
      armed = armed.filter((one) => one !== meant)
      meant?.removing.abort()
      return meant !== undefined
    },
    clear: () => {
      const all = armed
      armed = []
      for (const { removing } of all) removing.abort()
    },
    list: () =>
      armed.map(({ id, fault, left }) => ({ id, fault, left: Number.isFinite(left) ? left : null })),
    strike: (facts, occasion = 'request') =>
      armed.length === 0
        ? NONE
        : armed
            .filter((one) => strikes(one, facts, occasion))
            .map((one) => ({ ...drawn(one), removed: one.removing.signal })),
  }
}

function drawn(one: Armed): Fault {
  const { fault } = one
  if (fault.action !== 'read-lag' || fault.upToMs === undefined) return fault
  return { ...fault, ms: Math.floor(random(one) * (fault.upToMs + 1)) }
}

function random(one: Armed): number {
  const { state, value } = nextRandom(one.random)
  one.random = state
  return value
}

function strikes(one: Armed, facts: Facts, occasion: Occasion): boolean {
  const { fault } = one
  if (one.left <= 0 || !actsOn(fault.action, occasion, facts.transport)) return false
  if (!meets(fault.match, facts)) return false
  if (fault.probability !== undefined && random(one) >= fault.probability) return false
  one.left -= 1
  return true
}
