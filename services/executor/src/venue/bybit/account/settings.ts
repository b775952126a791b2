import type { SettingsChange, SettingsOutcome } from '../../../domain/account/account.ts'
import { changeFailure, refusalIn } from '../../http/refusal.ts'
import type { RestClient } from '../../http/rest-client.ts'
import type { Venue } from '../../venue.ts'
import { bybitCodes, saysUnchanged } from '../codes.ts'

interface Step {
  path: string
  fields: Record<string, string | number>
  done: string
}

const marginModes = { cross: 'REGULAR_MARGIN', isolated: 'ISOLATED_MARGIN' } as const
const positionModes = { oneWay: 0, hedge: 3 } as const

/** The changing of settings of linear markets, one after the other; what is so already counts as unchanged. */
export function createChangeSettings(restClient: RestClient, onChange: () => void): Venue['changeSettings'] {
  return async (symbol, change) => {
    const publisher: string[] = []
    let hasChanged = false
    for (const step of stepsOf(symbol, change)) {
      const outcome = await take(restClient, step).finally(onChange)
      if (outcome.outcome === 'refused')
        return { ...outcome, error: [outcome.error, ...publisher].join('; before that: ') }
      if (outcome.outcome === 'unknown' || outcome.outcome === 'withheld') return outcome
      hasChanged ||= outcome.outcome === 'changed'
      publisher.push(outcome.note)
    }
    return { outcome: hasChanged ? 'changed' : 'unchanged', note: publisher.join('; ') }
  }
}

// The position mode first: it is what the venue refuses most, and then nothing else is changed.
function stepsOf(symbol: string, { leverage, marginMode, positionMode }: SettingsChange): Step[] {
  const steps: Step[] = []
  if (positionMode !== undefined) {
    steps.push({
      path: '/v5/position/switch-mode',
      fields: { category: 'linear', symbol, mode: positionModes[positionMode] },
      done: `position mode of ${symbol}: ${positionMode}`,
    })
  }
  if (marginMode !== undefined) {
    steps.push({
      path: '/v5/account/set-margin-mode',
      fields: { setMarginMode: marginModes[marginMode] },
      done: `margin mode of the whole account: ${marginMode}`,
    })
  }
  if (leverage !== undefined) {
    steps.push({
      path: '/v5/position/set-leverage',
      fields: { category: 'linear', symbol, buyLeverage: leverage, sellLeverage: leverage },
      done: `leverage of ${symbol}: ${leverage}`,
    })
  }
  return steps
}

async function take(restClient: RestClient, { path, fields, done }: Step): Promise<SettingsOutcome> {
  try {
    await restClient.send({ method: 'POST', path, fields })
    return { outcome: 'changed', note: done }
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined && saysUnchanged(refusal))
      return { outcome: 'unchanged', note: `${done}, as before` }
    return changeFailure(error, bybitCodes)
  }
}
