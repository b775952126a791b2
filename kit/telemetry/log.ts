import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

// Fixed paths only: a wildcard costs half of pino's speed.
const secretPaths = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'apiKey',
  'secret',
  'req.headers.authorization',
  'headers.authorization',
]

/**
 * A logger that writes one JSON line an event, named for its service, with secrets left out; to the standard output
 * if nothing else is named.
 */
export function createLog(name: string, level: string, destination?: { write: (line: string) => void }): Log {
  const options = {
    name,
    level,
    base: { name },
    redact: { paths: secretPaths, censor: '[secret]' },
    serializers: { err: describeError },
  }
  return pino(options, destination ?? standardOutput())
}

// Lines leave together, as soon as they fill a page or a moment is over: each write costs more than many lines. An end
// of the process writes what is left, unless it is killed.
const pageBytes = 4096
const gatherMs = 50
/** Lines beyond it are dropped while the output takes none. */
const mostBytes = 4 * 1024 * 1024

let output: DestinationStream | undefined

/** The one of the process: two would write into each other's lines. */
function standardOutput(): DestinationStream {
  output ??= openOutput()
  return output
}

/** A full disk below the output, or a reader that is gone, ends no process: what is left is tried with later lines. */
function openOutput(): DestinationStream {
  const opened = pino.destination({
    sync: false,
    minLength: pageBytes,
    periodicFlush: gatherMs,
    maxLength: mostBytes,
  })
  let isStuck = false
  opened.on('error', () => {
    isStuck = true
  })
  opened.on('write', () => {
    isStuck = false
  })
  // The library would try for ever to write the last lines of a process that ends.
  const flushSync = opened.flushSync.bind(opened)
  opened.flushSync = () => {
    if (!isStuck) flushSync()
  }
  return opened
}

/**
 * The parts of an error that a log keeps: names and messages along its causes, and the stack; no request, header or
 * URL.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const causes: string[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`)
  }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(causes.length > 0 && { causes }),
  }
}
