import { type KnownBot, listLabels } from './label.ts'
import type { Fault, Range } from './problem.ts'
import { quoted } from './syntax-fault.ts'

export function noBlockFault(text: string, almost: Range | undefined, bots: readonly KnownBot[]): Fault {
  const shape = `${bots[0]?.label ?? 'MyBot'}(BTCUSDT) { market(buy, 0.01) }`
  if (!almost) {
    return { code: 'E101', cause: 'no command block found', expected: `A block is written like ${shape}` }
  }
  const hasPlaceholder = text.slice(almost.end).trimStart().startsWith('{{')
  return {
    code: 'E101',
    cause: `no command block found: ${quoted(text.slice(almost.start, almost.end))} has no { ... } after it`,
    expected: `${hasPlaceholder ? 'A block opens with one "{", and "{{" begins a placeholder; it' : 'A block'} is written like ${shape}`,
  }
}

export function headlessFault(bots: readonly KnownBot[]): Fault {
  return {
    code: 'E103',
    cause: 'these commands have no bot and symbol before their "{"',
    expected: `A block is written like ${bots[0]?.label ?? 'MyBot'}(BTCUSDT) { ... }. ${listLabels(bots)}`,
  }
}

export function emptyBlockFault(): Fault {
  return { code: 'E104', cause: 'this block has no commands', expected: 'Commands stand between its braces' }
}

export function perpetualOnSpotFault(symbol: string, plain: string): Fault {
  return {
    code: 'E403',
    cause: `${quoted(symbol)} is a perpetual and this bot trades spot`,
    expected: 'A spot symbol is written without .P, PERP and :USDT',
    suggestion: plain,
  }
}

export function messageSizeFault(): Fault {
  return {
    code: 'E109',
    cause: 'the message is longer than 64 KiB',
    expected: 'The limit is 64 KiB; longer ones are not read',
  }
}

export function idLengthFault(limit: number): Fault {
  return {
    code: 'E109',
    cause: `the @id is longer than ${limit} characters`,
    expected: `The limit is ${limit}`,
  }
}
