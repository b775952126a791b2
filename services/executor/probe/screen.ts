import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './options.ts'

/** Speaks with whoever started a run. */
export interface Screen {
  /** Says what goes on. */
  say: (line: string) => void
  /** Asks a question; `isSecret` answers are not shown. Throws where nobody can answer. */
  ask: (question: string, isSecret?: boolean) => Promise<string>
}

/** A screen on the terminal; with JSON the progress goes to the other output. */
export function terminalScreen(json: boolean, signal: AbortSignal): Screen {
  const output = json ? process.stderr : process.stdout
  return {
    say: (line) => void output.write(`${line}\n`),
    ask: async (question, isSecret = false) => {
      if (!process.stdin.isTTY) throw new UsageError(`Nobody can be asked here: ${question.trim()}`)
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
      // Made first: from then on the terminal shows nothing by itself of what is typed.
      const lines = createInterface({
        input: process.stdin,
        output: isSecret ? silent : output,
        terminal: true,
      })
      // In raw mode Ctrl-C comes as a key, not as a signal.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      try {
        if (isSecret) output.write(question)
        const answer = await lines.question(isSecret ? '' : question, { signal })
        if (isSecret) output.write('\n')
        return answer.trim()
      } finally {
        lines.close()
      }
    },
  }
}
