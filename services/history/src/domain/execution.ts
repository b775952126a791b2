import type { CommandStatus } from '@tripline/proto/command-result'
import type { Execution } from '@tripline/proto/history-request'

type Command = Execution['commands'][number]

/** A command as it is stored: values that no event has yet are null. */
export interface StoredCommand extends Omit<Command, 'status' | 'params'> {
  status: CommandStatus | null
  params: Command['params'] | null
}

/** An execution as it is stored: values that no event has yet are null. */
export interface StoredExecution extends Omit<Execution, 'status' | 'message' | 'commands'> {
  status: Execution['status'] | null
  message: string | null
}

/** Returns an execution as history shows it: one without an end is running. */
export function executionOf(stored: StoredExecution, commands: readonly StoredCommand[]): Execution {
  const status = stored.status ?? 'running'
  // A command that a finished execution says nothing of was not reached.
  const silence = status === 'running' ? 'running' : 'skipped'
  return {
    ...stored,
    status,
    message: stored.message ?? '',
    commands: commands.map((command) => ({
      ...command,
      status: command.status ?? silence,
      params: command.params ?? {},
    })),
  }
}
