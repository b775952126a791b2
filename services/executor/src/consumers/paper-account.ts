import type { Bus } from '@tripline/kit/bus'
import { answer } from '@tripline/kit/request'
import { readOpeningKeys, seal } from '@tripline/kit/seal'
import { openPaperAccount } from '@tripline/proto/executor-request'
import { Credentials, credentialContext } from '@tripline/proto/user-config'
import { request } from 'undici'
import type { Config } from '../config.ts'

/** Opens paper accounts for new bots: the secret is sealed here and never leaves this process in clear. */
export function answerPaperAccounts(bus: Bus, config: Config): () => void {
  const [sealingKey] = readOpeningKeys(config.SEAL_PRIVATE_KEYS)
  if (sealingKey === undefined) throw new Error('SEAL_PRIVATE_KEYS holds no key')
  return answer(bus, openPaperAccount, async ({ userId, botId, isTestnet }) => {
    const credentials = await openAccount(config.PAPER_URL, config.INTERNAL_TOKEN)
    const context = credentialContext({ userId, botId, exchange: 'paper', isTestnet })
    return {
      sealed: seal(sealingKey, JSON.stringify(credentials), context),
      apiKeyPreview: `${credentials.apiKey.slice(0, 4)}…${credentials.apiKey.slice(-4)}`,
    }
  })
}

async function openAccount(paperUrl: string, internalToken: string): Promise<Credentials> {
  const { statusCode, body } = await request(`${paperUrl}/internal/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${internalToken}`, 'content-type': 'application/json' },
    body: '{}',
    headersTimeout: 2000,
    bodyTimeout: 2000,
  })
  const answered: unknown = await body.json()
  if (statusCode !== 201) throw new Error(`the paper exchange opened no account (${statusCode})`)
  return Credentials.parse(answered)
}
