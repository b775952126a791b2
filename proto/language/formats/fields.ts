import type { KnownBot } from '../label.ts'
import { numberPattern, plainNumber } from '../number-text.ts'
import { addProblem, isFull, type Problems, type Range } from '../problem.ts'
import type { ReadableText } from '../readable-text.ts'
import type { Word } from '../syntax.ts'
import { placeholderFault } from '../syntax-fault.ts'
import {
  badChoiceFault,
  badFlagFault,
  badNumberFault,
  missingFieldFault,
  noFieldObjectFault,
  refusedFieldFault,
  twiceFault,
  unknownFieldFault,
} from './format-fault.ts'
import type { JsonMember, JsonNode } from './json.ts'
import { placeholderIn, readValue } from './syntax-of.ts'

/** The reading of a field of another product's alert, and the problem about it. */
export interface FieldRule {
  /** `ignored` ones make no difference to the trade; `refused` ones would, so the alert is not run with them. */
  use: 'honored' | 'ignored' | 'refused'
  note: string
}

/** The fields of a format by their path; `[]` stands behind a list of objects. */
export type FieldRules = Readonly<Record<string, FieldRule>>

export function honored(note: string): FieldRule {
  return { use: 'honored', note }
}

export function ignored(note: string): FieldRule {
  return { use: 'ignored', note }
}

export function refused(note: string): FieldRule {
  return { use: 'refused', note }
}

/** The context of reading an alert. */
export interface AlertContext {
  readonly readable: ReadableText
  readonly problems: Problems
  readonly bots: readonly KnownBot[]
}

/** The fields of an alert that are honored and say something, by their path. */
export interface Fields {
  readonly problems: Problems
  /** The offset of problems about missing fields. */
  readonly start: number
  readonly nodes: ReadonlyMap<string, JsonNode>
  /** The fields that are there and have a problem already. */
  readonly reported: ReadonlySet<string>
}

/** Returns the honored fields of an object; fields that are refused, unknown or there twice are problems. */
export function readFields(
  root: JsonNode,
  rules: FieldRules,
  problems: Problems,
  prefix = '',
): Fields | undefined {
  if (root.kind !== 'object') {
    addProblem(problems, { start: root.start, end: root.start + 1 }, noFieldObjectFault())
    return undefined
  }
  const reading: Reading = { nodes: new Map(), reported: new Set(), rules, problems }
  for (const member of root.members) readMember(member, prefix, reading)
  const { nodes, reported } = reading
  return { nodes, reported, problems, start: root.start }
}

interface Reading {
  nodes: Map<string, JsonNode>
  reported: Set<string>
  rules: FieldRules
  problems: Problems
}

function readMember({ key, value }: JsonMember, prefix: string, reading: Reading): void {
  const { nodes, rules, problems } = reading
  if (isFull(problems)) return
  const path = prefix + key.text
  const rule = rules[path]
  if (rule === undefined) {
    const isGroup =
      value.kind === 'object' && Object.keys(rules).some((known) => known.startsWith(`${path}.`))
    if (!isGroup) addProblem(problems, key, unknownFieldFault(path, Object.keys(rules)))
    else for (const member of value.members) readMember(member, `${path}.`, reading)
    return
  }
  if (rule.use === 'refused' && !isOff(value)) addProblem(problems, key, refusedFieldFault(path, rule.note))
  if (rule.use !== 'honored') return
  const placeholder = value.kind === 'text' && placeholderIn(value)
  if (placeholder) {
    reading.reported.add(path)
    addProblem(problems, placeholder, placeholderFault(value.text))
  } else if (nodes.has(path)) addProblem(problems, key, twiceFault(path))
  else if (!isAbsent(value)) nodes.set(path, value)
}

// Templates name every field, and leave those empty that say nothing.
function isAbsent(node: JsonNode): boolean {
  return node.kind === 'null' || (node.kind === 'text' && node.text.trim() === '')
}

/** Whether the value switches off what the field is for. */
function isOff(node: JsonNode): boolean {
  if (isAbsent(node)) return true
  if (node.kind === 'list') return node.items.length === 0
  if (node.kind === 'object') return isSwitchedOff(node.members)
  return node.text === 'false' || /^[0.]+$/.test(node.text)
}

function isSwitchedOff(members: JsonMember[]): boolean {
  const enabled = members.find(({ key }) => key.text === 'enabled')
  return members.length === 0 || (enabled !== undefined && isOff(enabled.value))
}

/** The text of a field; undefined where it is absent. */
export function textOf(fields: Fields, path: string): Word | undefined {
  const node = fields.nodes.get(path)
  return node && readValue(path, node, fields.problems)
}

/** The text of a field that must be there. */
export function neededText(fields: Fields, path: string, hint: string): Word | undefined {
  if (!fields.nodes.has(path)) reportMissing(fields, path, hint)
  return textOf(fields, path)
}

/** Reports that a field must be there. */
export function reportMissing({ problems, start, reported }: Fields, path: string, hint: string): void {
  if (reported.has(path)) return
  addProblem(problems, { start, end: start + 1 }, missingFieldFault(path, hint))
}

/** Returns the choice that a field is, in any case; undefined if it is absent, and a problem if it is none of them. */
export function choiceOf<Choice extends string>(
  fields: Fields,
  path: string,
  choices: readonly Choice[],
): (Word & { text: Choice }) | undefined {
  const word = textOf(fields, path)
  if (!word) return undefined
  const choice = choices.find((known) => known.toLowerCase() === word.text.toLowerCase())
  if (choice === undefined) addProblem(fields.problems, word, badChoiceFault(path, word.text, choices))
  return choice === undefined ? undefined : { ...word, text: choice }
}

/** Returns whether a field is true; undefined if it is absent, and a problem if it is neither true nor false. */
export function flagOf(fields: Fields, path: string): (Range & { isTrue: boolean }) | undefined {
  const word = textOf(fields, path)
  if (!word) return undefined
  if (/^(?:true|false)$/i.test(word.text)) return { ...word, isTrue: word.text.toLowerCase() === 'true' }
  addProblem(fields.problems, word, badFlagFault(path, word.text))
  return undefined
}

const plainPattern = new RegExp(`^${numberPattern}$`, 'i')

/** Returns the plain number above zero that a field is; undefined if it is absent, and a problem if it is none. */
export function numberOf(fields: Fields, path: string): Word | undefined {
  const word = textOf(fields, path)
  return word && positiveNumber(word, path, fields.problems)
}

/** Returns the word as a plain number above zero; a problem if it is none. */
export function positiveNumber(word: Word, name: string, problems: Problems): Word | undefined {
  const [, digits, exponent] = plainPattern.exec(word.text) ?? []
  const text = digits === undefined ? undefined : plainNumber(digits, exponent)
  if (text !== undefined && /[1-9]/.test(text)) return { ...word, text }
  addProblem(problems, word, badNumberFault(name, word.text))
  return undefined
}
