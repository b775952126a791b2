import type { CommandResult } from '@tripline/proto/command-result'
import type { Rig } from './rig.ts'

/** Runs commands of the rig's bot on BTCUSDT; returns what each came to. */
export async function runCommands(rig: Rig, commands: string): Promise<CommandResult[]> {
  const result = await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
  if (result.outcome !== 'executed') throw new Error(JSON.stringify(result))
  return result.executions[0]?.commands ?? []
}
