import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '@tripline/kit/lifecycle'
import type { UserId } from '@tripline/proto/id'
import type { Deps } from './deps.ts'
import { publishOnce } from './publish.ts'
import { listUsersAfter, listUsersBehind } from './store/user-config.ts'

const pageSize = 200
const behindEveryMs = 1000
const everybodyEveryMs = 3_600_000
const retryMs = 5000

/**
 * Publishes again what a crash between database and buckets left behind, each second; and compares everybody's state
 * at start, with each new connection and each hour, since a bucket may have lost what was in it.
 */
export function startSweeper(deps: Deps): Service {
  const { bus } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let isAwaited = new AbortController()
  const forget = bus.onConnection((isConnected) => {
    if (isConnected) isAwaited.abort()
  })
  const untilConnected = async (ms: number): Promise<void> => {
    await pause(ms, AbortSignal.any([signal, isAwaited.signal]))
    isAwaited = new AbortController()
  }
  const untilDue = async (ms: number): Promise<void> => await pause(ms, signal)
  const rounds = [
    repeat(deps, async () => await publishBehind(deps), behindEveryMs, { signal, wait: untilDue }),
    repeat(deps, async () => await publishEverybody(deps, signal), everybodyEveryMs, {
      signal,
      wait: untilConnected,
    }),
  ]
  return {
    stop: async () => {
      forget()
      stopping.abort()
      await Promise.all(rounds)
    },
  }
}

async function repeat(
  { bus, log }: Deps,
  round: () => Promise<void>,
  everyMs: number,
  { signal, wait }: { signal: AbortSignal; wait: (ms: number) => Promise<void> },
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = Math.min(everyMs, retryMs)
    try {
      if (bus.isConnected()) {
        await round()
        waitMs = everyMs
      }
    } catch (error) {
      log.warn({ err: error }, 'could not compare the buckets with the database')
    }
    await wait(waitMs)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

async function publishBehind(deps: Deps): Promise<void> {
  for (const userId of await listUsersBehind(deps.db, pageSize)) await publishOrLog(deps, userId)
}

async function publishEverybody(deps: Deps, stopping: AbortSignal): Promise<void> {
  let page: UserId[] = []
  do {
    page = await listUsersAfter(deps.db, page.at(-1), pageSize)
    for (const userId of page) {
      if (stopping.aborted) return
      await publishOrLog(deps, userId)
    }
  } while (page.length === pageSize)
}

// A fault in one user's state must not keep the others from being published.
async function publishOrLog(deps: Deps, userId: UserId): Promise<void> {
  try {
    await publishOnce(deps, userId)
  } catch (error) {
    deps.log.warn({ err: error, userId }, 'state not published')
  }
}
