import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TokenPair } from '@tripline/proto/http/auth'
import { KeyView, WebhookConfigView } from '@tripline/proto/http/key'
import { ensureSecret, keysFolder } from '../stack/local-keys.ts'
import { untilAvailable } from './until-available.ts'
import { mailTo, verifyEmail } from './verify-email.ts'

/** A user with a Paper bot, so that the first alert can be sent at once. */
export interface DemoAccount {
  email: string
  password: string
  accessToken: string
  botLabel: string
  webhookUrl: string
}

const email = 'demo@tripline.local'
const botLabel = 'MyBot'
const lostPassword = `The password of ${email} is not the one in keys/demo.json of the data folder. \
Put that file back, or start on another folder with TRIPLINE_DATA.`
const person = { first_name: 'Demo', last_name: 'Trader', country: 'Switzerland', username: 'demo' }

/** Logs the demo user in over the public API; registers it and links its bot where that has not been done. */
export async function openDemoAccount(webUrl: string, dataDir: string): Promise<DemoAccount> {
  const password = demoPassword(dataDir)
  return await untilAvailable(async () => await openAccount(webUrl, password))
}

async function openAccount(webUrl: string, password: string): Promise<DemoAccount> {
  const accessToken = await logIn(webUrl, password)
  const bots = KeyView.array().parse(await expectOk(call(webUrl, '/api/keys', { accessToken })))
  if (!bots.some((bot) => bot.label === botLabel)) {
    const body = { label: botLabel, exchange: 'paper', market_type: 'futures' }
    await expectOk(call(webUrl, '/api/keys', { accessToken, body }))
  }
  const config = WebhookConfigView.parse(await expectOk(call(webUrl, '/api/webhook-config', { accessToken })))
  return { email, password, accessToken, botLabel, webhookUrl: config.webhook_url }
}

function demoPassword(dataDir: string): string {
  const makeLogin = () => JSON.stringify({ email, password: randomBytes(12).toString('base64url') })
  const file = ensureSecret(path.join(keysFolder(dataDir), 'demo.json'), makeLogin)
  return JSON.parse(readFileSync(file, 'utf8')).password
}

async function logIn(webUrl: string, password: string): Promise<string> {
  const body = { email, password }
  const first = await call(webUrl, '/api/auth/login', { body })
  if (first.status === 200) return TokenPair.parse(await first.json()).access_token
  if (first.status === 503) await expectOk(first)
  await expectOk(call(webUrl, '/api/auth/register', { body: { ...person, ...body } }))
  if ((await mailTo(webUrl, email)).subject.includes('already')) throw new Error(lostPassword)
  await verifyEmail(webUrl, body)
  return TokenPair.parse(await expectOk(call(webUrl, '/api/auth/login', { body }))).access_token
}

interface Call {
  accessToken?: string
  body?: unknown
}

function call(webUrl: string, route: string, { accessToken, body }: Call): Promise<Response> {
  const headers: Record<string, string> = {}
  if (accessToken) headers['authorization'] = `Bearer ${accessToken}`
  if (body) headers['content-type'] = 'application/json'
  const request = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return fetch(new URL(route, webUrl), { ...request, headers, signal: AbortSignal.timeout(10_000) })
}

async function expectOk(answering: Response | Promise<Response>): Promise<unknown> {
  const response = await answering
  if (response.ok) return response.json()
  const { status } = response
  const text = `${new URL(response.url).pathname} answered ${status}: ${await response.text()}`
  throw new Error(text, { cause: { status } })
}
