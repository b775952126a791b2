import { conditionFault } from './command-fault.ts'
import {
  type CommandSpec,
  isConditionName,
  parameterNamed,
  parametersOf,
  parameterTable,
  type WrittenName,
} from './command-table.ts'
import { addProblem, type Fault, isFull, type Mend, type Problems } from './problem.ts'
import { nearest } from './suggestion.ts'
import type { ArgumentSyntax, CommandSyntax, Word } from './syntax.ts'
import { quoted } from './syntax-fault.ts'

/** The arguments of a command by the parameter each one is for. */
export interface Placement {
  placed: Map<WrittenName, ArgumentSyntax>
  /** False where an argument found no place, so that what seems missing may be meant by it. */
  isComplete: boolean
}

interface Placing extends Placement {
  readonly spec: CommandSpec
  readonly problems: Problems
  /** The next positional parameter; undefined where it is not known any more. */
  slot: number | undefined
  hasNamed: boolean
  /** The arguments without a name so far. */
  readonly unnamed: ArgumentSyntax[]
}

/** Gives every argument its parameter, and reports those for which there is none. */
export function placeArguments(spec: CommandSpec, command: CommandSyntax, problems: Problems): Placement {
  const isComplete = !command.isBroken
  const placing: Placing = {
    spec,
    problems,
    placed: new Map(),
    isComplete,
    slot: 0,
    hasNamed: false,
    unnamed: [],
  }
  for (const argument of command.args) {
    if (isFull(problems)) break
    if (argument.name) placeNamed(placing, argument, argument.name)
    else placePositional(placing, argument, command.isBroken)
  }
  return placing
}

/** Returns a command's parameters, as a sentence. */
function listParameters(spec: CommandSpec): string {
  const names = parametersOf(spec)
  return names.length === 0 ? `${spec.type} takes nothing` : `${spec.type} takes: ${names.join(', ')}`
}

function placeNamed(placing: Placing, argument: ArgumentSyntax, name: Word): void {
  const { spec } = placing
  const parameter = parameterNamed(spec, name.text)
  const isIgnored = name.text.toLowerCase() === 'background'
  if (parameter || isIgnored) placing.hasNamed = true
  // Behind a name that is none it is not known which place a value was meant for.
  else placing.slot = undefined
  if (isIgnored) return
  if (parameter) place(placing, argument, parameter)
  else if (isConditionName(name.text)) refuse(placing, argument, conditionFault(name.text))
  else refuse(placing, name, unknownParameterFault(spec, name.text))
}

function placePositional(placing: Placing, argument: ArgumentSyntax, isBroken: boolean): void {
  const { spec, slot } = placing
  placing.unnamed.push(argument)
  // Behind an empty place it is not known which place a value was meant for.
  const isEmpty = isBroken && argument.value === undefined
  const parameter = slot === undefined || isEmpty ? undefined : spec.positional[slot]
  placing.slot = parameter && slot !== undefined ? slot + 1 : undefined
  if (placing.hasNamed) {
    if (slot !== undefined) refuse(placing, argument, lateValueFault(spec, argument))
    placing.slot = undefined
  } else if (parameter) place(placing, argument, parameter)
  else if (slot !== undefined && !isEmpty) refuseSurplus(placing, argument)
}

function refuseSurplus(placing: Placing, argument: ArgumentSyntax): void {
  const { spec, placed, unnamed } = placing
  const separator = findSeparator(unnamed)
  refuse(placing, separator?.second ?? argument, surplusFault(spec, argument, separator))
  if (!separator) return
  // Half of a number is not judged, nor is what it has pushed to the next place.
  const shifted = unnamed.slice(separator.index)
  for (const [parameter, value] of placed) if (shifted.includes(value)) placed.delete(parameter)
}

function place(placing: Placing, argument: ArgumentSyntax, parameter: WrittenName): void {
  const meant = parameter === 'leverage' && isMarginMode(argument) ? 'marginMode' : parameter
  if (!placing.placed.has(meant)) placing.placed.set(meant, argument)
  else addProblem(placing.problems, argument, givenTwiceFault(placing.spec, meant))
}

// `leverage=cross` and `exchangeSettings(cross)` are how a margin mode is written elsewhere.
function isMarginMode({ value }: ArgumentSyntax): boolean {
  const choices = parameterTable.marginMode.choices ?? []
  return value !== undefined && choices.includes(value.text.toLowerCase())
}

function refuse(placing: Placing, { start, end }: { start: number; end: number }, fault: Fault): void {
  placing.isComplete = false
  addProblem(placing.problems, { start, end }, fault)
}

function unknownParameterFault(spec: CommandSpec, name: string): Fault {
  const names = parametersOf(spec)
  const aliases = names.flatMap((parameter) => parameterTable[parameter].aliases ?? [])
  const suggestion = nearest(name, [...names, ...aliases])
  return {
    code: 'E205',
    cause: `unknown parameter ${quoted(name)} for ${spec.type}`,
    expected: listParameters(spec),
    parameter: name,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

function givenTwiceFault(spec: CommandSpec, parameter: WrittenName): Fault {
  const cause = `"${parameter}" is given twice for ${spec.type}`
  return { code: 'E207', cause, expected: 'One value is enough, with or without its name', parameter }
}

function lateValueFault(spec: CommandSpec, { value }: ArgumentSyntax): Fault {
  const text = value?.text ?? ''
  const suggestion = flagNamed(spec, text)
  return {
    code: 'E213',
    cause: `${quoted(text)} has no name and stands after a value that has one`,
    expected: `Values without a name come first; ${listParameters(spec)}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

function surplusFault(spec: CommandSpec, argument: ArgumentSyntax, separator: Separator | undefined): Fault {
  const { positional, type } = spec
  const extra = (separator?.second ?? argument).value?.text ?? ''
  const names = positional.length === 0 ? 'no values' : `only ${positional.join(', ')}`
  const suggestion = separator?.mend.text ?? flagNamed(spec, extra)
  return {
    code: 'E206',
    cause: `${quoted(extra)} is too much: without their names ${type} takes ${names}`,
    expected: separator
      ? 'A comma separates values and never thousands or decimals'
      : `Others need their name; ${listParameters(spec)}`,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(separator ? { mend: separator.mend } : {}),
  }
}

/** Returns the flag that was meant by the name of a parameter alone that is either true or false. */
function flagNamed(spec: CommandSpec, text: string): string | undefined {
  const parameter = parameterNamed(spec, text)
  const isFlag = parameter !== undefined && parameterTable[parameter].kind === 'boolean'
  return isFlag ? `${text}=true` : undefined
}

/** A comma within a number: the values it has made of it, and the number. */
interface Separator {
  index: number
  second: ArgumentSyntax
  mend: Mend
}

function findSeparator(unnamed: readonly ArgumentSyntax[]): Separator | undefined {
  const index = unnamed.findLastIndex(
    (argument, at) => separatorMend(unnamed[at + 1], argument) !== undefined,
  )
  const second = unnamed[index + 1]
  const mend = separatorMend(second, unnamed[index])
  return second && mend && { index, second, mend }
}

/** Returns what was probably one number before a comma took it apart: 62,000 for 62000, 0,5 for 0.5. */
function separatorMend(
  argument: ArgumentSyntax | undefined,
  before: ArgumentSyntax | undefined,
): Mend | undefined {
  const [first, second] = [before?.value?.text ?? '', argument?.value?.text ?? '']
  if (!before || !argument || !/^[@+-]?\d{1,3}$/.test(first)) return undefined
  const range = { start: before.start, end: argument.end }
  if (/^\d{3}(?:\.\d+)?%?$/.test(second)) return { ...range, text: first + second }
  return first === '0' && /^\d+[%$a-z]*$/i.test(second) ? { ...range, text: `0.${second}` } : undefined
}
