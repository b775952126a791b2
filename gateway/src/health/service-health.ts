import type { Health } from '@tripline/proto/http/health'

type ServiceHealth = Health['services'][string]

// Without these no alert is executed; the others only make it less comfortable.
const essential = ['intake', 'executor']

export interface HealthOptions {
  /** Where each service tells its readiness. */
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

async function askAll(urls: HealthOptions['urls'], timeoutMs: number): Promise<Health> {
  const answers = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => [name, await askOne(url, timeoutMs)] as const),
  )
  const services = Object.fromEntries(answers)
  return { status: overallHealth(services), services }
}

/** `degraded` is a service that runs and cannot do its duty; one that does not answer is `down`. */
async function askOne(url: string, timeoutMs: number): Promise<ServiceHealth> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(timeoutMs) })
    await answer.body?.cancel()
    return answer.ok ? 'ok' : 'degraded'
  } catch {
    return 'down'
  }
}

function overallHealth(services: Record<string, ServiceHealth>): ServiceHealth {
  if (essential.some((name) => services[name] !== 'ok')) return 'down'
  return Object.values(services).every((health) => health === 'ok') ? 'ok' : 'degraded'
}
