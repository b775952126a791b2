import type { Closers } from '@tripline/testkit/closers'
import { newEmail, newPerson, profile } from '@tripline/testkit/people/person'
import { phase } from '@tripline/testkit/progress'
import { startProduct } from '@tripline/testkit/stack/product'
import { median } from '../statistics.ts'
import { textTable } from '../table.ts'

const samplesOf = { full: 500, quick: 50 }
const allowedDifference = 0.05

/** A call whose time must not reveal whether an email has an account. */
interface Probe {
  name: string
  path: string
  body: (email: string) => object
}

const password = 'correct horse battery staple'

const probes: Probe[] = [
  { name: 'login', path: 'auth/login', body: (email) => ({ email, password: 'another password' }) },
  { name: 'reset request', path: 'auth/password-reset/request', body: (email) => ({ email }) },
  { name: 'register', path: 'auth/register', body: (email) => ({ ...profile, email, password }) },
]

/**
 * Measures login, reset and register for an email with an account and for emails without one, in turn, over HTTP on the
 * whole product with its throttles off. Returns the table; fails when means differ by 5 % or more and not by chance.
 */
export async function authTiming(pace: keyof typeof samplesOf, closers: Closers): Promise<string> {
  const off = {
    LOGIN_FAILURES_PER_ACCOUNT: '0',
    LOGIN_FAILURES_PER_ACCOUNT_AND_ADDRESS: '0',
    LOGIN_FAILURES_PER_ADDRESS: '0',
    MAILS_PER_RECIPIENT: '0',
    MAILS_PER_ADDRESS: '0',
  }
  const product = await phase('started the product', () =>
    startProduct({ ephemeral: true, services: ['gateway', 'intake', 'executor', 'auth'], env: off, closers }),
  )
  const { email: known } = await newPerson(product.urls.web, { password })
  const rows = []
  for (const probe of probes) rows.push(await measure(product.urls.web, probe, known, samplesOf[pace]))
  const table = textTable(
    ['call', 'known', 'unknown', 'difference', 'standard error', 'median known', 'median unknown'],
    rows.map(({ cells }) => cells),
  )
  if (pace === 'full' && rows.some(({ difference }) => difference >= allowedDifference))
    throw new Error(table)
  return `${table}\n\nMeans over ${samplesOf[pace]} calls each, in ms.\n`
}

async function measure(
  webUrl: string,
  { name, path, body }: Probe,
  known: string,
  samples: number,
): Promise<{ cells: string[]; difference: number; noise: number }> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const timed = async (kind: keyof typeof times, email: string): Promise<void> => {
    const startedAt = performance.now()
    await post(webUrl, path, body(email))
    times[kind].push(performance.now() - startedAt)
  }
  await phase(`measured ${name}`, async () => {
    for (let sample = 0; sample < samples; sample++) {
      // Which comes first changes, so that neither is always the one after the other.
      const order = sample % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const kind of order) await timed(kind, kind === 'known' ? known : newEmail())
    }
  })
  const [knownMs, unknownMs] = [mean(times.known), mean(times.unknown)]
  const overallMs = (knownMs + unknownMs) / 2
  const difference = Math.abs(knownMs - unknownMs) / overallMs
  const noise = Math.hypot(standardError(times.known), standardError(times.unknown)) / overallMs
  const medians = [median(times.known), median(times.unknown)].map((ms) => ms.toFixed(2))
  const cells = [
    name,
    knownMs.toFixed(2),
    unknownMs.toFixed(2),
    percent(difference),
    percent(noise),
    ...medians,
  ]
  return { cells, difference, noise }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}

function standardError(values: readonly number[]): number {
  const average = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2)) / values.length)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

async function post(webUrl: string, path: string, body: object): Promise<void> {
  const answer = await fetch(new URL(`/api/${path}`, webUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status >= 500 || answer.status === 429)
    throw new Error(`${path} answered ${answer.status}: ${text}`)
}
