import type { AlertBlock, AlertMessage, ExecutionResult } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { exchangeMarketOf } from '@tripline/proto/exchange'
import type { BotConfig } from '@tripline/proto/user-config'
import { failed, skipped } from './domain/ending.ts'
import { identityOf, tellFinished, tellReceived } from './execution-story.ts'
import { type Inheritance, mayHaveBegun, outcomesBefore } from './inheritance.ts'
import { commandEvent, type Teller, tellAlarm } from './tell.ts'

const cause = 'the exchange cannot be reached any more, look there what was done'

/** An alert whose bots have no client. */
export interface Abandoned {
  alert: AlertMessage
  inheritance: Inheritance | undefined
  /** The bots of the blocks; undefined where one is linked no more. */
  bots: readonly (BotConfig | undefined)[]
  tell: Teller['tell']
}

/**
 * Ends an alert that an earlier owner may have begun: its next command is told as unknown, with high priority, and the
 * rest is skipped. Answers undefined where nothing can have been done, which may be refused like any alert.
 */
export function abandonAlert(abandoned: Abandoned): ExecutionResult[] | undefined {
  const { alert, inheritance } = abandoned
  if (inheritance === undefined || !mayHaveBegun(inheritance, alert)) return undefined
  const stories = alert.blocks.flatMap((block, index) => storyOf(abandoned, block, index))
  // A bot that is linked no more has no market to tell of.
  if (stories.length < alert.blocks.length) return undefined
  return stories.map(({ block, index, teller }) => {
    tellReceived(alert, block, teller)
    const before = outcomesBefore(inheritance, alert.alertId, index)
    const outcomes = [...before, ...tellRest(block, before.length, teller)]
    return tellFinished(outcomes, alert.receivedAt, teller)
  })
}

interface Story {
  block: AlertBlock
  index: number
  teller: Teller
}

function storyOf({ alert, bots, tell }: Abandoned, block: AlertBlock, index: number): Story[] {
  const bot = bots[index]
  const market = bot && exchangeMarketOf(bot.exchange, bot.marketType)
  if (market === undefined) return []
  const identity = identityOf(alert, block, index, market)
  return [{ block, index, teller: { identity, tell, flight: {} } }]
}

function tellRest({ commands }: AlertBlock, from: number, teller: Teller): CommandResult[] {
  return commands.slice(from).map(({ type }, index) => {
    const about = { command: from + index, type }
    const ending = index === 0 ? failed('E602', cause) : skipped()
    const outcome = { command: type, ...ending, executionTimeMs: 0 }
    if (index === 0) tellAlarm(about, 'E602', cause, teller)
    teller.tell({ kind: 'command.finished', ...commandEvent(about, teller, 'finished'), outcome })
    return outcome
  })
}
