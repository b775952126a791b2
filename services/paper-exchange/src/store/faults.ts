import { type Facts, type Fault, meets, nextRandom, seedRandom } from '../domain/fault.ts'

/** The faults that wait for requests. */
export type Faults = Readonly<{
  add: (fault: Fault) => string
  remove: (id: string) => boolean
  clear: () => void
  /** The faults that strike this request, oldest first; a counted one is used up by it. */
  strike: (facts: Facts) => Fault[]
}>

type Armed = { id: string; fault: Fault; left: number; random: number }

const NONE: Fault[] = []

/** No faults yet; each keeps its own count and random numbers. */
export function createFaults(): Faults {
  let armed: Armed[] = []
  let lastId = 0
  return {
    add: (fault) => {
      lastId += 1
      const id = `fault-${lastId}`
      const left = fault.count ?? Number.POSITIVE_INFINITY
      armed.push({ id, fault, left, random: seedRandom(fault.seed ?? lastId) })
      return id
    },
    remove: (id) => {
      const before = armed.length
      armed = armed.filter((one) => one.id !== id)
      return armed.length < before
    },
    clear: () => {
      armed = []
    },
    strike: (facts) =>
      armed.length === 0 ? NONE : armed.filter((one) => strikes(one, facts)).map(({ fault }) => fault),
  }
}

function strikes(one: Armed, facts: Facts): boolean {
  if (one.left <= 0 || !meets(one.fault.match, facts)) return false
  if (one.fault.probability !== undefined) {
    const { state, value } = nextRandom(one.random)
    one.random = state
    if (value >= one.fault.probability) return false
  }
  one.left -= 1
  return true
}
