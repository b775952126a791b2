import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { limitConcurrency } from '@tripline/kit/concurrency-limit'
import { RefusedError } from '@tripline/kit/refused-error'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { sharedAnswers } from '@tripline/kit/time/shared-answers'
import { readAccount } from '@tripline/proto/executor-request'
import type { z } from 'zod'
import type { StatementReading } from '../domain/account/statement.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { BotClient, VenuePool } from '../venue/pool.ts'
import { accountView } from './account-view.ts'

interface Deps {
  bus: Bus
  pool: Pick<VenuePool, 'client' | 'problemOf'>
  directory: Pick<BotDirectory, 'bot'>
}

type Answered = z.input<ReturnType<typeof readAccount>['answered']>

/** A reading, and when the exchange was asked for it, in ms since the epoch. */
interface DatedReading {
  reading: StatementReading
  at: number
}

/** So long callers share what the exchange answered of an account. */
const freshMs = 2000

const limits = {
  atOnce: 8,
  waiting: 256,
  refusal: 'Many accounts are being read now, please try again in a moment',
}

/** Serves what bots have at their exchanges, partition by partition; few are asked for at a time over all of them. */
export function accountServer({ bus, pool, directory }: Deps): (partition: number) => () => void {
  const limited = limitConcurrency(limits)
  const shared = sharedAnswers<DatedReading>(freshMs, steadyNow)
  const readingOf = async ({ venue, accountKey, market }: BotClient): Promise<DatedReading> =>
    await shared.ask(`${market} ${accountKey}`, async () =>
      limited(async () => ({ at: now(), reading: await venue.statement() })),
    )
  return (partition) =>
    serve(bus, readAccount(partition), async ({ userId, botId }): Promise<Answered> => {
      const bot = directory.bot(userId, botId)
      if (bot === undefined) throw new RefusedError('not_found', 'API key not found')
      const problem = pool.problemOf(botId)
      if (problem !== undefined) return unread('E406', `${bot.label} cannot be read: ${problem}`)
      const client = pool.client(botId)
      if (client === undefined) return unread('E601', `${bot.label} cannot be reached on its exchange now`)
      const { reading, at } = await readingOf(client)
      if (reading.outcome === 'refused') return unread(reading.code, reading.error)
      if (reading.outcome === 'unreachable')
        return unread('E601', `The exchange could not be asked: ${reading.cause}`)
      const kind = client.market.endsWith('spot') ? 'spot' : 'linear'
      return {
        read_at: new Date(at).toISOString(),
        statement: accountView(reading.statement, kind),
        error_code: null,
        error: null,
      }
    })
}

function unread(code: string, error: string): Answered {
  return { read_at: null, statement: null, error_code: code, error }
}
