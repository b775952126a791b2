import { spawn } from 'node:child_process'

interface RunOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  uid?: number
  gid?: number
  /** Ends the program when it is aborted. */
  signal?: AbortSignal
}

/** Returns the program's output; when it fails, throws an error with all of it. */
export async function runCommand(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let printed = ''
  let complaints = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0) return printed
  throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${printed}${complaints}`)
}

/** Whether the program exists and succeeds. */
export async function canRun(command: string, args: string[], options: RunOptions = {}): Promise<boolean> {
  try {
    await runCommand(command, args, options)
    return true
  } catch {
    return false
  }
}
