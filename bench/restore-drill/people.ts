import { randomBytes } from 'node:crypto'
import { TokenPair } from '@tripline/proto/http/auth'
import { ExecutionPage, type ExecutionView } from '@tripline/proto/http/execution'
import { WebhookConfigView } from '@tripline/proto/http/key'
import { callApi } from '@tripline/testkit/people/call-api'
import { verifyEmail } from '@tripline/testkit/people/verify-email'
import type { Trader } from '../alert-to-order/traders.ts'

const botsEach = 3

/** A trader with a login, as everybody gets it: an account, Paper bots and a webhook. */
export interface Person extends Omit<Trader, 'userId'> {
  accessToken: string
}

/** Registers so many people over the public API. */
export async function registerPeople(webUrl: string, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let index = 0; index < count; index++) people.push(await register(webUrl))
  return people
}

async function register(webUrl: string): Promise<Person> {
  const username = randomBytes(6).toString('hex')
  const [email, password] = [`${username}@example.com`, randomBytes(12).toString('base64url')]
  const person = { first_name: 'Ada', last_name: 'Drill', country: 'Italy', username, email, password }
  await callApi(webUrl, '/api/auth/register', { body: person })
  await verifyEmail(webUrl, { email, password })
  const login = await callApi(webUrl, '/api/auth/login', { body: { email, password } })
  const { access_token: accessToken } = TokenPair.parse(login)
  const labels = Array.from({ length: botsEach }, (_, index) => `MyBot${index + 1}`)
  for (const label of labels) {
    await callApi(webUrl, '/api/keys', {
      accessToken,
      body: { label, exchange: 'paper', market_type: 'futures' },
    })
  }
  const settings = { accessToken, method: 'PUT', body: { max_requests_per_minute: 60 } }
  const { webhook_url } = WebhookConfigView.parse(await callApi(webUrl, '/api/webhook-config', settings))
  return { accessToken, labels, webhookPath: new URL(webhook_url).pathname }
}

/** Everything that a person's history tells, newest first. */
export async function readHistory(webUrl: string, { accessToken }: Person): Promise<ExecutionView[]> {
  const all: ExecutionView[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = ExecutionPage.parse(
      await callApi(webUrl, `/api/webhook-executions?limit=100&cursor=${cursor}`, { accessToken }),
    )
    all.push(...page.executions)
    cursor = page.next_cursor
  }
  return all
}
