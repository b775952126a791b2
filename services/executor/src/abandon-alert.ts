import type { AlertBlock, AlertMessage, ExecutionResult } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { exchangeMarketOf } from '@tripline/proto/exchange'
import { type AlertId, executionIdOf } from '@tripline/proto/id'
import { failed, skipped } from './domain/ending.ts'
import { identityOf, tellFinished, tellReceived } from './execution-story.ts'
import type { AlertRunOptions, Inheritance } from './run-alert.ts'
import { commandEvent, type Teller, tellAlarm } from './tell.ts'

const cause = 'the exchange cannot be reached any more, look there what was done'

/**
 * Ends an alert that an earlier owner may have begun, and whose bots have no client: its next command is told as
 * unknown, with high priority, and the rest is skipped. Answers undefined where nothing can have been done, which may
 * be refused like any alert.
 */
export function abandonAlert(options: AlertRunOptions): ExecutionResult[] | undefined {
  const { alert, inheritance, places } = options
  if (inheritance === undefined || !mayHaveBegun(inheritance, alert)) return undefined
  if (places.every((place) => place?.client !== undefined)) return undefined
  const stories = alert.blocks.flatMap((block, index) => storyOf(options, block, index))
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

function storyOf({ alert, places, events }: AlertRunOptions, block: AlertBlock, index: number): Story[] {
  const bot = places[index]?.bot
  const market = bot && exchangeMarketOf(bot.exchange, bot.marketType)
  if (market === undefined) return []
  const identity = identityOf(alert, block, index, market)
  return [{ block, index, teller: { identity, tell: events.tell, flight: {} } }]
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

function mayHaveBegun(
  { notAbsentBefore, outcomes, progress }: Inheritance,
  { alertId, blocks }: AlertMessage,
): boolean {
  const isTold = blocks.some((_block, index) => outcomes.has(executionIdOf(alertId, index)))
  return notAbsentBefore !== undefined || isTold || Object.keys(progress).length > 0
}

/** What came before, as far as it is kept, of the commands of a block. */
export function outcomesBefore(
  { outcomes, progress }: Inheritance,
  alertId: AlertId,
  index: number,
): readonly CommandResult[] {
  const stored = outcomes.get(executionIdOf(alertId, index)) ?? []
  const kept = progress[index]
  // What was kept tells of all that came before its wait, also where an event of it was not stored any more.
  return kept !== undefined && kept.outcomes.length > stored.length ? kept.outcomes : stored
}
