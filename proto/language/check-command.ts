import { checkRules } from './check-rules.ts'
import { unknownCommandFault, unwantedBodyFault } from './command-fault.ts'
import { type CommandSpec, commandNamed, type WrittenName } from './command-table.ts'
import { type Placement, placeArguments } from './place-arguments.ts'
import { addProblem, type Problems } from './problem.ts'
import { readParameter } from './read-parameter.ts'
import { type ReadableText, spanOf } from './readable-text.ts'
import type { CommandSyntax } from './syntax.ts'
import type { Command, ParameterName, Span } from './tree.ts'

/** The context that the commands of a block are checked against. */
export interface CheckContext {
  readonly readable: ReadableText
  readonly problems: Problems
  /** The market of the block's bot, where the bot is known. */
  readonly market: 'futures' | 'spot' | undefined
  /** The block lacks a `}`, so that a command behind a group may seem to be in it. */
  readonly isUnclosed: boolean
}

/** Returns the spec of a command; undefined, and a problem, if it is none of the nine. */
export function findCommand({ problems }: CheckContext, { name }: CommandSyntax): CommandSpec | undefined {
  const spec = commandNamed(name.text)
  if (spec === undefined) addProblem(problems, name, unknownCommandFault(name.text))
  return spec
}

/** Returns the command without its legs; undefined, and a problem, if something is wrong with it. */
export function checkCommand(
  context: CheckContext,
  spec: CommandSpec,
  syntax: CommandSyntax,
): Command | undefined {
  const { problems, readable } = context
  const errorsBefore = problems.errors.length
  if (syntax.isBroken) return undefined
  if (syntax.body && !spec.takesBody) {
    addProblem(problems, syntax.name, unwantedBodyFault(spec))
    return undefined
  }
  const placement = placeArguments(spec, syntax, problems)
  const values = readValues(context, placement)
  checkRules({ spec, syntax, problems, values, ...placement })
  if (problems.errors.length > errorsBefore) return undefined
  const valueSpans = spansOf(readable, placement, values)
  const command: Record<string, unknown> = { type: spec.type, span: spanOf(readable, syntax), valueSpans }
  for (const [parameter, value] of values) command[fieldOf(parameter)] = value
  // Everything that the table asks of this command is there and of its kind, since the checks found no error.
  return command as unknown as Command
}

function readValues(context: CheckContext, placement: Placement): Map<WrittenName, unknown> {
  const values = new Map<WrittenName, unknown>()
  for (const [parameter, { name, value }] of placement.placed) {
    if (value === undefined) continue
    const reading = readParameter(parameter, value, context.market)
    if (!reading.fault) values.set(parameter, reading.value)
    else {
      addProblem(context.problems, value.placeholder ?? value, reading.fault)
      // A comma or a name may be missing in it, and with it the place of what seems missing.
      if (name === undefined || /\s/.test(value.text)) placement.isComplete = false
    }
  }
  return values
}

function fieldOf(parameter: WrittenName): string {
  return parameter === 'duration' ? 'durationMs' : treeNameOf(parameter)
}

function spansOf(
  readable: ReadableText,
  { placed }: Placement,
  values: Map<WrittenName, unknown>,
): Partial<Record<ParameterName, Span>> {
  const spans: Partial<Record<ParameterName, Span>> = {}
  for (const [parameter, { value }] of placed) {
    if (value && values.has(parameter)) spans[treeNameOf(parameter)] = spanOf(readable, value)
  }
  return spans
}

function treeNameOf(parameter: WrittenName): ParameterName {
  return parameter === 'offset' ? 'price' : parameter
}
