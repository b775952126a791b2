import { freePort as findFreePort } from './infra/free-port.ts'

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  return findFreePort()
}
