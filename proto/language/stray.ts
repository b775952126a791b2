import { addProblem, type Problems } from './problem.ts'
import type { CommandSyntax } from './syntax.ts'

/** The context in which commands are judged. */
interface Judged {
  readonly problems: Problems
  readonly isUnclosed: boolean
}

/**
 * Reports texts behind this command that are no command, unless they only follow from a fault of it or of the block.
 */
export function reportStrays(
  { problems, isUnclosed }: Judged,
  command: CommandSyntax,
  hasFault: boolean,
): void {
  const { strays, isBroken, body } = command
  // Another problem has to be reported already, or the message would run without what could not be read.
  const isReported = (isUnclosed && problems.errors.length > 0) || isBroken || body?.isBroken === true
  for (const stray of strays) {
    // Pairs that name no command are rather parameters of this one.
    const isPart = !stray.isApart || isEmpty(command) || stray.code === 'E208'
    const follows = isReported || (hasFault && isPart)
    if (!follows) addProblem(problems, stray, stray)
  }
}

/** True for a command of which nothing but its name was read, so that the rest of it is what follows. */
function isEmpty({ args, body }: CommandSyntax): boolean {
  return args.length === 0 && body === undefined
}
