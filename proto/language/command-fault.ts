import {
  type CommandSpec,
  commandNamed,
  commandNames,
  commandTable,
  isConditionName,
  isForeignCommand,
  nearestToForeign,
  parameterTable,
  type WrittenName,
} from './command-table.ts'
import type { Fault } from './problem.ts'
import { nearest } from './suggestion.ts'
import { placeholderFault, quoted } from './syntax-fault.ts'

/** Returns the fault of a name that is none of the nine commands. */
export function unknownCommandFault(name: string): Fault {
  if (name.includes('{{')) return placeholderFault(name)
  if (isConditionName(name)) return conditionFault(name)
  if (isForeignCommand(name)) return foreignCommandFault(name)
  const suggestion = nearest(name, commandNames)
  return {
    code: 'E202',
    cause: `unknown command ${quoted(name)}`,
    // The name that was meant makes a list of all needless.
    ...(suggestion === undefined
      ? { expected: `The commands are ${commandTable.map(({ type }) => type).join(', ')}` }
      : { suggestion }),
  }
}

/** Returns the fault of words that should be a command and are not called like one. */
export function noCommandFault(word: string, rest: string): Fault {
  if (isConditionName(word)) return conditionFault(word)
  const command = commandNamed(word)
  if (command) return uncalledFault(command, word, rest)
  const suggestion = nearest(word, commandNames)
  return {
    code: 'E105',
    cause: `${quoted(word)} is not a command`,
    expected: 'Commands are written like market(buy, 0.01)',
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

// Longer text is rather a sentence than the values of a command.
const valuesLimit = 40

function uncalledFault(command: CommandSpec, word: string, rest: string): Fault {
  const values = rest
    .replace(/^:/, '')
    .trim()
    .split(/[\s,]+/)
  const isCall = rest.length <= valuesLimit && values.every(isPlainValue) && !command.takesBody
  return {
    code: 'E105',
    cause: `${quoted(word)} is not written as a command`,
    expected: `It is written like ${command.example}, and ";" separates commands`,
    ...(isCall ? { suggestion: `${word}(${values.join(', ')})` } : {}),
  }
}

function isPlainValue(value: string): boolean {
  return /^[\w.%$@+-]+$/.test(value) && !commandNamed(value)
}

/** A condition, as a command or as a parameter. */
export function conditionFault(name: string): Fault {
  return {
    code: 'E204',
    cause: `the condition ${quoted(name)} is not supported`,
    expected: 'Without its condition the alert would trade when it should not, so nothing of it is run',
  }
}

function foreignCommandFault(name: string): Fault {
  const meant = nearestToForeign(name)
  return {
    code: 'E203',
    cause: `${quoted(name)} is known to other products and not here`,
    expected: meant ? `What comes nearest is ${meant}` : 'There is nothing like it here',
  }
}

export function unwantedBodyFault(spec: CommandSpec): Fault {
  return {
    code: 'E111',
    cause: `${spec.type} takes no { ... }`,
    expected: `Only oco does; ${spec.type} is written like ${spec.example}`,
  }
}

/** Of each list of alternatives none was written. */
export function missingFault(spec: CommandSpec, missing: readonly (readonly WrittenName[])[]): Fault {
  const names = missing.map(listAlternatives)
  const first = missing[0]?.[0] ?? 'side'
  return {
    code: 'E208',
    cause: `${names.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing for ${spec.type}`,
    expected: `"${first}" says ${parameterTable[first].hint}, as in ${spec.example}`,
    parameter: first,
  }
}

// A target position could stand for side and amount, but who forgot one of them does not look for it.
function listAlternatives(names: readonly WrittenName[]): string {
  return names
    .filter((name) => name !== 'position')
    .map((name) => `"${name}"`)
    .join(' or ')
}

export function conflictFault(spec: CommandSpec, [first, other]: readonly [string, string]): Fault {
  return {
    code: 'E209',
    cause: `"${other}" contradicts "${first}" for ${spec.type}`,
    expected: 'Only one of them can hold',
    parameter: other,
  }
}

/** Values that a target position makes superfluous. */
export function replacedFault(parameters: readonly string[]): Fault {
  const names = parameters.map((name) => `"${name}"`).join(' and ')
  return {
    code: 'W701',
    cause: `${names} ${parameters.length > 1 ? 'are' : 'is'} ignored`,
    expected: 'The side and the size follow from "position"',
    parameter: parameters[0] ?? 'side',
  }
}

export function fewLegsFault(count: number): Fault {
  return {
    code: 'E210',
    cause: `an oco needs at least two legs and this one has ${count === 0 ? 'none' : 'one'}`,
    expected: 'It is written like oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
  }
}

export function legTypeFault(spec: CommandSpec): Fault {
  return {
    code: 'E211',
    cause: `${spec.type} cannot be a leg of an oco`,
    expected: 'Legs are limit and stopOrder',
  }
}

export function noLegsFault(): Fault {
  return {
    code: 'E212',
    cause: 'an oco has its legs in braces and this one has none',
    expected: 'It is written like oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
  }
}

export function nestedGroupFault(): Fault {
  return {
    code: 'E111',
    cause: 'an oco cannot stand in another one',
    expected: 'An oco has its own legs only',
  }
}

export function unequalLegsFault(): Fault {
  return {
    code: 'W702',
    cause: 'the legs of this oco differ in size',
    expected: 'A full fill of the smaller one cancels the larger one, unless mode=reduce keeps its rest',
  }
}
