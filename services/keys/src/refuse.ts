import { RefusedError } from '@tripline/kit/refused-error'
import type { FieldFault } from '@tripline/proto/request'

/** Refuses a request that has faults, naming each. */
export function refuseFaults(faults: FieldFault[]): void {
  if (faults.length === 0) return
  throw new RefusedError('invalid_request', faults.map((fault) => fault.message).join(', '), { faults })
}

/** Refuses a label that another bot of the user has. */
export function refuseLabel(): never {
  throw new RefusedError('conflict', 'Label already exists')
}

/** Refuses what is asked about a bot that the user has not. */
export function refuseUnknownBot(): never {
  throw new RefusedError('not_found', 'API key not found')
}
