/** A refusal in the venue's own words. */
export class BybitError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'BybitError'
    this.code = code
  }
}

/** A parameter is missing or is not what it must be. */
export function paramsError(name: string): BybitError {
  return new BybitError(10001, `params error: ${name} invalid`)
}

/** The answer to a request that leaves out what says which rows are meant. */
export function missingScope(): BybitError {
  return new BybitError(10001, 'Missing some parameters that must be filled in, please check your params')
}
