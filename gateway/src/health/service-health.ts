import type { Health } from '@tripline/proto/http/health'
import { z } from 'zod'

type ServiceHealth = Health['services'][string]

// Without these no alert is executed; the others only make it less comfortable.
const essential = ['intake', 'executor']

export interface HealthOptions {
  /** Addresses of the services' readiness. */
  urls: Readonly<Record<string, string>>
  now: () => number
  timeoutMs: number
  /** An answer serves everybody who asks within this time. */
  freshMs: number
}

/** Asks how all services are, and says whether an alert can be executed. */
export function createHealthCheck({ urls, now, timeoutMs, freshMs }: HealthOptions): () => Promise<Health> {
  let asked: { at: number; health: Promise<Health> } | undefined
  return async () => {
    if (asked === undefined || now() - asked.at > freshMs) {
      asked = { at: now(), health: askAll(urls, timeoutMs) }
    }
    return await asked.health
  }
}

interface Answer {
  health: ServiceHealth
  refusing: readonly string[]
}

const Readiness = z.object({ refusing: z.array(z.string()).catch([]) })

async function askAll(urls: HealthOptions['urls'], timeoutMs: number): Promise<Health> {
  const answers = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => [name, await askOne(url, timeoutMs)] as const),
  )
  const services = Object.fromEntries(answers.map(([name, { health }]) => [name, health]))
  const refusing = [...new Set(answers.flatMap(([, answer]) => answer.refusing))].sort()
  const status = overallHealth(services, refusing)
  return { status, services, ...(refusing.length > 0 && { refusing }) }
}

/** `degraded` is a service that runs and cannot do its duty; one that does not answer is `down`. */
async function askOne(url: string, timeoutMs: number): Promise<Answer> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(timeoutMs) })
    const { refusing } = Readiness.catch({ refusing: [] }).parse(await answer.json().catch(() => undefined))
    return { health: answer.ok ? 'ok' : 'degraded', refusing }
  } catch {
    return { health: 'down', refusing: [] }
  }
}

/** A bus that takes no alerts is `down` as well: they are answered 503. */
function overallHealth(services: Record<string, ServiceHealth>, refusing: readonly string[]): ServiceHealth {
  if (essential.some((name) => services[name] !== 'ok') || refusing.includes('ALERTS')) return 'down'
  const allWell = refusing.length === 0 && Object.values(services).every((health) => health === 'ok')
  return allWell ? 'ok' : 'degraded'
}
