import { conditionFault } from '../command-fault.ts'
import { isConditionName } from '../command-table.ts'
import { blockLimit, commandLimit } from '../parser.ts'
import { addProblem, isFull, type Problems } from '../problem.ts'
import { readText, type WrittenMessage } from '../read-message.ts'
import type { ReadableText } from '../readable-text.ts'
import { checkStamp, type Stamps } from '../stamp.ts'
import type { ArgumentSyntax, BlockSyntax, BodySyntax, CommandSyntax } from '../syntax.ts'
import { limitFault, missingTypeFault, secondTypeFault } from '../syntax-fault.ts'
import { isStamp } from './envelope.ts'
import {
  missingKeyFault,
  noBlockInJsonFault,
  noCommandObjectFault,
  noListFault,
  unknownKeyFault,
  unreadableStampFault,
} from './format-fault.ts'
import { type JsonMember, type JsonNode, type JsonObject, parseJson } from './json.ts'
import { readableWithin } from './json-text.ts'
import { headerOf, readValue } from './syntax-of.ts'

const blockKeys = ['bot', 'symbol', 'commands', 'id', 'sent_at'] as const
type BlockKey = (typeof blockKeys)[number]

/** Reads our own language in its JSON form: one block, a list of blocks, or a message as text. */
export function readTriplineJson(readable: ReadableText, problems: Problems): WrittenMessage {
  const root = parseJson(readable.text, problems)
  const stamps: Stamps = {}
  if (root === undefined) return { syntax: { blocks: [], almostHeader: undefined }, stamps, readable }
  const message = root.kind === 'object' && readMessageMember(root)
  if (message) return readInner(readable, message, problems)
  const blocks: BlockSyntax[] = []
  for (const node of root.kind === 'list' ? root.items : [root]) {
    if (isFull(problems)) break
    if (blocks.length === blockLimit) {
      addProblem(problems, node, limitFault(`${blockLimit} blocks in a message`))
      break
    }
    const block = readBlock(node, stamps, problems)
    if (block) blocks.push(block)
  }
  return { syntax: { blocks, almostHeader: undefined }, stamps, readable }
}

function readMessageMember({ members }: JsonObject): JsonMember[] | undefined {
  const hasText = members.some(({ key, value }) => key.text === 'message' && value.kind === 'text')
  return hasText && !members.some(({ key }) => key.text === 'commands') ? members : undefined
}

function readInner(readable: ReadableText, members: JsonMember[], problems: Problems): WrittenMessage {
  const stamps: Stamps = {}
  for (const { key, value } of members) {
    if (key.text === 'id' || key.text === 'sent_at') readStamp(key.text, value, stamps, problems)
  }
  const message = members.find(({ key }) => key.text === 'message')?.value
  // The problems found so far are at places of the JSON, those of the message would be at its own.
  if (message === undefined || problems.errors.length > 0) {
    return { syntax: { blocks: [], almostHeader: undefined }, stamps, readable }
  }
  const inner = readText(readableWithin(readable, message), problems)
  return { ...inner, stamps: { ...inner.stamps, ...stamps } }
}

function readBlock(node: JsonNode, stamps: Stamps, problems: Problems): BlockSyntax | undefined {
  const hasCommands = node.kind === 'object' && node.members.some(({ key }) => isKey(key.text, 'commands'))
  if (!hasCommands) {
    addProblem(problems, { start: node.start, end: node.start + 1 }, noBlockInJsonFault())
    return undefined
  }
  const members = readMembers(node, problems)
  for (const kind of ['id', 'sent_at'] as const) {
    const value = members.get(kind)
    if (value) readStamp(kind, value, stamps, problems)
  }
  const [bot, symbol, commands] = [members.get('bot'), members.get('symbol'), members.get('commands')]
  const body = commands && readBody(node, 'commands', commands, problems)
  if (!bot || !symbol || !body) {
    const at = { start: node.start, end: node.start + 1 }
    addProblem(problems, at, missingKeyFault(bot ? 'symbol' : 'bot'))
    return undefined
  }
  const label = readValue('bot', bot, problems)
  const pair = readValue('symbol', symbol, problems)
  if (!label || !pair) return undefined
  return { header: headerOf(label, pair), body, start: node.start, end: node.end }
}

function readMembers(object: JsonObject, problems: Problems): Map<BlockKey, JsonNode> {
  const found = new Map<BlockKey, JsonNode>()
  for (const { key, value } of object.members) {
    if (isFull(problems)) break
    const name = blockKeys.find((known) => isKey(key.text, known))
    if (name === undefined) addProblem(problems, key, faultOfKey(key.text))
    else if (found.has(name)) addProblem(problems, key, { ...secondTypeFault(), ...twice(name) })
    else found.set(name, value)
  }
  return found
}

function isKey(written: string, key: BlockKey): boolean {
  return written.toLowerCase() === key
}

function faultOfKey(key: string): ReturnType<typeof conditionFault> {
  return isConditionName(key) ? conditionFault(key) : unknownKeyFault(key, blockKeys)
}

function twice(name: string): { cause: string; parameter: string } {
  return { cause: `"${name}" is given twice`, parameter: name }
}

function readStamp(kind: 'id' | 'sent_at', node: JsonNode, stamps: Stamps, problems: Problems): void {
  if (!isStamp(node)) addProblem(problems, node, unreadableStampFault(kind))
  else if (checkStamp(node.text, node, problems)) {
    if (kind === 'id') stamps.id ??= node.text
    else stamps.sentAt ??= node.text
  }
}

function readBody(
  at: { start: number; end: number },
  key: string,
  node: JsonNode,
  problems: Problems,
): BodySyntax {
  const errorsBefore = problems.errors.length
  const { start, end } = at
  if (node.kind !== 'list') {
    addProblem(problems, node, noListFault(key))
    return { commands: [], isBroken: true, isUnclosed: false, start, end }
  }
  const surplus = node.items[commandLimit]
  if (surplus) addProblem(problems, surplus, limitFault(`${commandLimit} commands in a block`))
  const commands = node.items.slice(0, commandLimit).flatMap((item) => readCommand(item, problems))
  return { commands, isBroken: problems.errors.length > errorsBefore, isUnclosed: false, start, end }
}

/** Returns one command, or none if it has no type; undefined values have a problem already. */
function readCommand(node: JsonNode, problems: Problems): CommandSyntax[] {
  if (node.kind !== 'object') {
    addProblem(problems, node, noCommandObjectFault())
    return []
  }
  const { start, end } = node
  const [type, second] = node.members.filter(({ key }) => key.text.toLowerCase() === 'type')
  if (second) addProblem(problems, second.key, secondTypeFault())
  const name = type && readValue('type', type.value, problems)
  if (!name) {
    const [first] = node.members
    if (!type) addProblem(problems, first?.key ?? node, missingTypeFault(first?.key.text ?? ''))
    return []
  }
  const legs = node.members.find(({ key }) => key.text.toLowerCase() === 'legs')
  const body = legs && readBody(legs.value, 'legs', legs.value, problems)
  const others = node.members.filter((member) => member !== type && member !== second && member !== legs)
  const args = others.map((member) => readArgument(member, problems))
  return [
    { name, args, body, isBroken: args.some(({ value }) => value === undefined), strays: [], start, end },
  ]
}

function readArgument({ key, value }: JsonMember, problems: Problems): ArgumentSyntax {
  return { name: key, value: readValue(key.text, value, problems), start: key.start - 1, end: value.end }
}
