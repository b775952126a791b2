import type { Flight } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import { placementsIn } from '../domain/execution/flight.ts'
import type { Execution, Observation } from '../domain/execution/state.ts'
import type { Identity } from '../domain/order/order-events.ts'
import type { ExecutorMetrics, Stage } from '../metrics.ts'
import type { Doubts } from '../monitoring/doubts.ts'
import type { Subject } from './loop.ts'

/** Meters of the run of one block. */
export type RunMeter = ReturnType<RunMeters>

export type RunMeters = ReturnType<typeof createRunMeters>

/** Meters runs of blocks, on these metrics, by what is observed; all of it when an order is long on its way. */
export function createRunMeters(metrics: ExecutorMetrics, doubts: Doubts) {
  return ({ exchange: venue, userId, executionId }: Identity) => {
    const subject = (command: number) => ({ userId, executionId, command })
    let inDoubt: number | undefined
    const doubt = (command: number, since: number): void => {
      inDoubt = command
      doubts.open(subject(command), since)
    }
    const note: Subject<Execution, Observation>['note'] = (before, observation, _after, at) => {
      const command = before.outcomes.length
      switch (observation.of) {
        case 'place':
        case 'placeOco':
          for (const { outcome } of placementsIn(observation)) {
            metrics.placements.add({ venue, outcome })
            if (outcome === 'unknown') doubt(command, observation.sentAt ?? at)
          }
          break
        case 'longUnknown':
          doubt(command, at)
          break
        case 'ended':
          metrics.commands.add({ venue, status: observation.outcome.status })
          inDoubt = undefined
          if (observation.isUntold !== true) doubts.close(subject(command))
          if (command === 0) observeStages(metrics, venue, before.flight ?? {})
      }
    }
    return {
      note,
      /** The block runs here no more: a command that did not end is its next owner's. */
      left: (): void => {
        if (inDoubt !== undefined) doubts.close(subject(inDoubt))
      },
    }
  }
}

function observeStages({ stages }: ExecutorMetrics, venue: ExchangeMarket, flight: Flight): void {
  // Two machines' clocks may differ by more than a part takes.
  for (const [stage, ms] of stagesOf(flight)) stages.observe({ venue, stage }, Math.max(0, ms) / 1000)
}

/** The parts of the way that were gone, in ms; nothing of a command that sent no order. */
function stagesOf(flight: Flight): [Stage, number][] {
  const { receivedAt, durableAt, pickedUpAt, resolvedAt, sentAt, acknowledgedAt } = flight
  if (sentAt === undefined) return []
  const parts: [Stage, number | undefined, number | undefined][] = [
    ['store', receivedAt, durableAt],
    ['pick_up', durableAt, pickedUpAt],
    ['resolve', pickedUpAt, resolvedAt],
    ['send', resolvedAt, sentAt],
    ['acknowledge', sentAt, acknowledgedAt],
    ['to_wire', receivedAt, sentAt],
  ]
  return parts.flatMap(([stage, from, to]) =>
    from === undefined || to === undefined ? [] : [[stage, to - from] as [Stage, number]],
  )
}
