import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { calls, type LoginApiResponse } from '@tripline/proto/http/calls'
import { ensureSecret, keysFolder } from '../stack/local-keys.ts'
import { callApi } from './call-api.ts'
import { statusOf, untilAvailable } from './until-available.ts'
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

// An answer that does not come in time is reported, and not waited for as long as the launcher lives.
const timeoutMs = 10_000

/** Logs the demo user in over the public API; registers it and links its bot where that has not been done. */
export async function openDemoAccount(webUrl: string, dataDir: string): Promise<DemoAccount> {
  const password = demoPassword(dataDir)
  return await untilAvailable(async () => await openAccount(webUrl, password))
}

async function openAccount(webUrl: string, password: string): Promise<DemoAccount> {
  const { access_token: accessToken } = await logIn(webUrl, password)
  const caller = { accessToken, timeoutMs }
  const bots = await callApi(webUrl, calls.listKeys(), caller)
  if (!bots.some((bot) => bot.label === botLabel)) {
    const bot = { label: botLabel, exchange: 'paper', market_type: 'futures' } as const
    await callApi(webUrl, calls.createKey(bot), caller)
  }
  const { webhook_url: webhookUrl } = await callApi(webUrl, calls.getWebhookConfig(), caller)
  return { email, password, accessToken, botLabel, webhookUrl }
}

function demoPassword(dataDir: string): string {
  const makeLogin = () => JSON.stringify({ email, password: randomBytes(12).toString('base64url') })
  const file = ensureSecret(path.join(keysFolder(dataDir), 'demo.json'), makeLogin)
  return JSON.parse(readFileSync(file, 'utf8')).password
}

async function logIn(webUrl: string, password: string): Promise<LoginApiResponse> {
  const login = { email, password }
  const logInOnce = async () => await callApi(webUrl, calls.login(login), { timeoutMs })
  try {
    return await logInOnce()
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined || status === 503) throw error
  }
  await callApi(webUrl, calls.register({ ...person, ...login }), { timeoutMs })
  if ((await mailTo(webUrl, email)).subject.includes('already')) throw new Error(lostPassword)
  await verifyEmail(webUrl, login)
  return await logInOnce()
}
