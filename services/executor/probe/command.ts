import { writeFile } from 'node:fs/promises'
import { readKeys } from './keys.ts'
import { help, readOptions, UsageError } from './options.ts'
import { probe } from './probe.ts'
import { describe, exitCodeOf } from './report.ts'
import { terminalScreen } from './screen.ts'
import { NoAnswerError } from './transport.ts'

type Environment = Record<string, string | undefined>

/** Runs the command; returns its exit code. */
export async function runVenueProbe(
  args: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<number> {
  try {
    const options = readOptions(args)
    if (options === undefined) {
      process.stdout.write(`${help}\n`)
      return 0
    }
    const screen = terminalScreen(options.json, signal)
    const findings = await probe(options, await readKeys(env, screen), screen, signal)
    const report = JSON.stringify(findings, null, 2)
    await writeFile(`${findings.folder}/report.json`, `${report}\n`)
    process.stdout.write(`${options.json ? report : describe(findings)}\n`)
    return exitCodeOf(findings)
  } catch (error) {
    process.stderr.write(`${reasonOf(error, signal)}\n`)
    return 2
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return '\nStopped before anything was placed.'
  if (error instanceof UsageError) return error.message
  if (error instanceof NoAnswerError) return `The exchange cannot be reached: ${error.message}`
  return `It could not run: ${error instanceof Error ? error.message : String(error)}`
}
