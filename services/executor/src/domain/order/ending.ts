import type { CommandResult, NothingToDo } from '@tripline/proto/command-result'

/** Ending of a command. */
export type Ending = Pick<CommandResult, 'status' | 'result' | 'errorCode' | 'error'>

/** Our code, and a sentence. */
export interface Failure {
  code: string
  error: string
}

/** The ending of a command that did what it was to do. */
export function succeeded(result: Ending['result']): Ending {
  return { status: 'success', result, errorCode: null, error: null }
}

/** The ending of a command that was refused, or came to nothing. */
export function failed(code: string, error: string, result: Ending['result'] = null): Ending {
  return { status: 'failed', result, errorCode: code, error }
}

/** The ending of a command that found nothing to do, which is no failure. */
export function nothingToDo(note: string, code: NothingToDo['code'] = 'N802'): Ending {
  return succeeded({ code, note })
}

/** The ending of a command that is not run; with a reason where no command before it in its block gives one. */
export function skipped(reason?: Failure): Ending {
  return { status: 'skipped', result: null, errorCode: reason?.code ?? null, error: reason?.error ?? null }
}
