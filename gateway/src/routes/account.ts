import { limitConcurrencyOfEach } from '@tripline/kit/concurrency-limit'
import { RefusedError } from '@tripline/kit/refused-error'
import type { AccountReading } from '@tripline/proto/account'
import { exchangeMarketOf } from '@tripline/proto/exchange'
import { readAccount } from '@tripline/proto/executor-request'
import { AccountsQuery, AccountsView } from '@tripline/proto/http/account'
import type { BotId, UserId } from '@tripline/proto/id'
import { type Bot, listBots } from '@tripline/proto/key-request'
import { partitionOf } from '@tripline/proto/subject'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

// The executor asks the exchange, several times one after the other.
const readTimeoutMs = 8000
// Screens of one user that are open at once read again after a fill, each of them.
const limits = {
  atOnce: 1,
  waiting: 4,
  refusal: 'Your accounts are being read, please wait for the answer',
}

/** Routes of accounts at the exchanges: balances, positions and open orders. */
export function accountRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const limitOf = limitConcurrencyOfEach(limits)
  const schema = {
    tags: ['accounts'],
    operationId: 'listAccounts',
    summary:
      'Balances, positions and open orders of the accounts of all API keys, as their exchanges report them',
    security: bearer,
    querystring: AccountsQuery,
    response: { ...sessionRefusals, 200: AccountsView },
  }
  api.get('/api/accounts', { onRequest: guard, schema }, async (request) => {
    const userId = sessionOf(request).sub
    const { api_key_id: only } = request.query
    return { accounts: await limitOf(userId)(async () => await accountsOf(ask, userId, only)) }
  })
}

async function accountsOf(ask: Ask, userId: UserId, only: BotId | undefined): Promise<AccountReading[]> {
  const { bots } = await ask(listBots, { userId })
  const wanted = bots.filter(({ id }) => only === undefined || id === only)
  return (await Promise.all(wanted.map(async (bot) => await accountOf(ask, userId, bot)))).flat()
}

async function accountOf(ask: Ask, userId: UserId, bot: Bot): Promise<AccountReading[]> {
  const { id, label, exchange, marketType, isTestnet } = bot
  const market = exchangeMarketOf(exchange, marketType)
  if (market === undefined) return []
  const reading = await readingOf(ask, userId, id)
  return [{ api_key_id: id, label, exchange: market, is_testnet: isTestnet, ...reading }]
}

/** An account that cannot be asked for leaves the others as they are. */
async function readingOf(ask: Ask, userId: UserId, botId: BotId) {
  try {
    return await ask(readAccount(partitionOf(userId)), { userId, botId }, { timeoutMs: readTimeoutMs })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    // A key that was linked just now is not known everywhere yet.
    const detail = error.code === 'unavailable' || error.code === 'not_found' ? unreachable : error.message
    return { read_at: null, statement: null, error_code: null, error: detail }
  }
}

const unreachable = 'The executor cannot be asked now, please try again'
