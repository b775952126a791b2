import { createWriteStream, type WriteStream } from 'node:fs'

/** A file that lines are added to, whatever becomes of its disk. */
export interface LogFile {
  write(line: string): void
}

const reopenMs = 1000

/**
 * Opens a log file. A disk that takes no more, which `onFault` is called with, costs lines: the file is tried again
 * with a later line, and says how many are missing.
 */
export function openLogFile(file: string, onFault: (error: Error) => void): LogFile {
  let stream: WriteStream | undefined
  let missing = 0
  let triedAt = -reopenMs
  const open = (now: number): WriteStream => {
    triedAt = now
    const opened = createWriteStream(file, { flags: 'a' })
    opened.on('error', (error) => {
      if (stream === opened) stream = undefined
      onFault(error)
    })
    return opened
  }
  const write = (line: string) => {
    const now = performance.now()
    if (stream === undefined && now - triedAt >= reopenMs) {
      stream = open(now)
      if (missing > 0) append(`\n${missing} lines are missing here: they could not be written\n`, 0)
    }
    append(`${line}\n`, 1)
  }
  // Counted as missing until it is written, since a stream that fails forgets what it holds.
  const append = (text: string, lines: number) => {
    const before = lines === 0 ? missing : 0
    missing += lines
    stream?.write(text, (error) => {
      if (!error) missing -= lines + before
    })
  }
  return { write }
}
