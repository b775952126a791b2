import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { readOpeningKeys, seal, unseal } from '@tripline/kit/crypto/seal'
import { openPaperAccount, resetPaperAccount } from '@tripline/proto/executor-request'
import { Credentials, credentialContext } from '@tripline/proto/user-config'
import { request } from 'undici'
import type { Config } from '../config.ts'

const answerMs = 2000

/** Opens and resets the accounts of Paper bots: the secret is sealed here and never leaves this process in clear. */
export function answerPaperAccounts(bus: Bus, config: Config): () => void {
  const openingKeys = readOpeningKeys(config.SEAL_PRIVATE_KEYS)
  const [sealingKey] = openingKeys
  if (sealingKey === undefined) throw new Error('SEAL_PRIVATE_KEYS holds no key')
  const stopOpening = serve(bus, openPaperAccount, async (bot) => {
    const credentials = Credentials.parse(await callPaper(config, '/internal/accounts', 201))
    const context = credentialContext({ ...bot, exchange: 'paper' })
    return {
      sealed: seal(sealingKey, JSON.stringify(credentials), context),
      apiKeyPreview: `${credentials.apiKey.slice(0, 4)}…${credentials.apiKey.slice(-4)}`,
    }
  })
  const stopResetting = serve(bus, resetPaperAccount, async ({ sealed, ...bot }) => {
    const context = credentialContext({ ...bot, exchange: 'paper' })
    const { apiKey } = Credentials.parse(JSON.parse(unseal(openingKeys, sealed, context)))
    await callPaper(config, `/internal/accounts/${apiKey}/reset`, 200)
    return {}
  })
  return () => {
    stopOpening()
    stopResetting()
  }
}

async function callPaper(
  { PAPER_URL, INTERNAL_TOKEN }: Config,
  path: string,
  expected: number,
): Promise<unknown> {
  const { statusCode, body } = await request(`${PAPER_URL}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INTERNAL_TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  })
  const answered: unknown = await body.json()
  // The path holds a key, which belongs in no log.
  if (statusCode !== expected) throw new Error(`the paper exchange refused (${statusCode})`)
  return answered
}
