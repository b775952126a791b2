import { freePort as findFreePort } from '@tripline/scripts/infra/free-port'

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  return findFreePort()
}
