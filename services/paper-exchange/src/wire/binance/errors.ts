import type { Failure } from './outcome.ts'

type More = Readonly<{ status?: number; data?: unknown }>

/** A refusal in the venue's own words; `data` says more, and a status of its own stands, if the venue has them. */
export class VenueError extends Error {
  readonly code: number
  readonly status: number | undefined
  readonly data: unknown

  constructor(code: number, message: string, { status, data }: More = {}) {
    super(message)
    this.name = 'VenueError'
    this.code = code
    this.status = status
    this.data = data
  }
}

const STATUS: Readonly<Record<number, number>> = {
  [-1000]: 500,
  [-1001]: 503,
  [-1002]: 401,
  [-1003]: 429,
  [-1006]: 500,
  [-1007]: 408,
  [-1008]: 503,
  [-1015]: 429,
  [-1016]: 503,
  [-2014]: 401,
  [-2015]: 401,
  [-5000]: 404,
}

/** The HTTP status that comes with a code. */
export function statusOf(code: number): number {
  return STATUS[code] ?? 400
}

/** Returns the error as the outcome of a request. */
export function failureFrom({ code, message, status, data }: VenueError): Failure {
  return { status: status ?? statusOf(code), code, message, data }
}

/** Returns an error as the body of an answer. */
export function errorBody({ code, message, data }: Pick<Failure, 'code' | 'message' | 'data'>) {
  return { code, msg: message, ...(data !== undefined && { data }) }
}

/** The key is not known, or may not do this. */
export function unauthorized(): VenueError {
  return new VenueError(-2015, 'Invalid API-key, IP, or permissions for action.')
}

/** A parameter that must be there is not. */
export function missing(name: string): VenueError {
  return new VenueError(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`)
}

/** A parameter holds characters it may not hold. */
export function illegal(name: string, pattern: string): VenueError {
  return new VenueError(
    -1100,
    `Illegal characters found in parameter '${name}'; legal range is '${pattern}'.`,
  )
}

/** A parameter does not belong to this kind of request. */
export function notRequired(name: string): VenueError {
  return new VenueError(-1106, `Parameter '${name}' sent when not required.`)
}

/** A parameter has a value the venue does not know. */
export function invalid(name: string): VenueError {
  return new VenueError(-1130, `Data sent for parameter '${name}' is not valid.`)
}
