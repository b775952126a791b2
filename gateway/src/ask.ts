import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import type { RequestContract } from '@tripline/proto/request'
import type { z } from 'zod'
import { snakeCase } from './domain/snake-case.ts'

/** Asks a service; its refusal names fields as HTTP does. */
export type Ask = <Asked extends z.ZodType, Answered extends z.ZodType>(
  contract: RequestContract<Asked, Answered>,
  asked: z.input<Asked>,
  options?: { timeoutMs?: number },
) => Promise<z.output<Answered>>

/** Asks services over this bus. */
export function askOver(bus: Bus): Ask {
  return async (contract, asked, options) => {
    try {
      return await sendRequest(bus, contract, asked, options)
    } catch (error) {
      if (!(error instanceof RefusedError) || error.faults === undefined) throw error
      const faults = error.faults.map(({ field, message }) => ({ field: httpField(field), message }))
      throw new RefusedError(error.code, error.message, { faults, cause: error })
    }
  }
}

/** Requests nest what HTTP bodies hold side by side: `bot.marketType` is `market_type`. */
function httpField(field: string): string {
  return snakeCase(field.slice(field.lastIndexOf('.') + 1))
}
