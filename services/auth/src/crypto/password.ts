import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '@tripline/kit/concurrency-limit'

/** Cost of a hash: KiB of memory, passes over them, and threads. */
export interface HashCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** Argon2id. 64 MiB a hash is what makes guessing dear, and what a flood of logins could exhaust us with. */
export const usualCost: HashCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }
const limits = {
  atOnce: 4,
  waiting: 60,
  refusal: 'Too many people are logging in, please try again in a moment',
}

/** Hashes passwords and checks them, a few at a time. */
export interface Passwords {
  hash: (password: string) => Promise<string>
  /** Whether the password is the one of the hash; takes as long, and is false, when there is no hash. */
  matches: (password: string, passwordHash: string | undefined) => Promise<boolean>
  /** Whether a hash was made at another cost than passwords are hashed with now. */
  isOld: (passwordHash: string) => boolean
}

/** Makes ready to hash passwords. */
export async function createPasswords(cost = usualCost): Promise<Passwords> {
  const form = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
  const limited = limitConcurrency(limits)
  const hashOfNobody = await hash(randomBytes(32), cost)
  return {
    hash: async (password) => await limited(async () => await hash(password, cost)),
    matches: async (password, passwordHash) => {
      const same = await limited(async () => await verify(passwordHash ?? hashOfNobody, password))
      return passwordHash !== undefined && same
    },
    isOld: (passwordHash) => !passwordHash.startsWith(form),
  }
}
