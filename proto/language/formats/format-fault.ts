import type { Fault } from '../problem.ts'
import { nearest } from '../suggestion.ts'
import { quoted } from '../syntax-fault.ts'

const blockExample =
  '{"bot": "MyBot", "symbol": "BTCUSDT", "commands": [{"type": "market", "side": "buy", "amount": "0.01"}]}'
const commandExample = '{"type": "market", "side": "buy", "amount": "0.01"}'

export function jsonFault(found: string, expected: string): Fault {
  return {
    code: 'E101',
    cause: found === '' ? 'the JSON ends too early' : `the JSON cannot be read from ${quoted(found)} on`,
    expected: `In JSON ${expected}`,
  }
}

export function unclosedJsonFault(close: string): Fault {
  return {
    code: 'E102',
    cause: 'the JSON bracket that opens here is not closed',
    expected: `A "${close}" closes it`,
  }
}

export function emptyNumberFault(word: string): Fault {
  return {
    code: 'E302',
    cause: `${quoted(word)} is not a number`,
    expected: 'The placeholder that should give it was probably empty',
  }
}

export function noBlockInJsonFault(): Fault {
  return {
    code: 'E101',
    cause: 'the JSON has neither "commands" nor a text "message"',
    expected: `It is written like ${blockExample}`,
  }
}

export function missingKeyFault(key: string): Fault {
  return {
    code: 'E208',
    cause: `"${key}" is missing`,
    expected: `The JSON is written like ${blockExample}`,
    parameter: key,
  }
}

export function unknownKeyFault(key: string, keys: readonly string[]): Fault {
  const suggestion = nearest(key, keys)
  return {
    code: 'E205',
    cause: `unknown key ${quoted(key)}`,
    expected: `The keys are ${keys.join(', ')}`,
    parameter: key,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

export function noListFault(key: string): Fault {
  return {
    code: 'E110',
    cause: `"${key}" is not a list`,
    expected: `It is written like "${key}": [${commandExample}]`,
    parameter: key,
  }
}

export function noCommandObjectFault(): Fault {
  return {
    code: 'E105',
    cause: 'this is not a command',
    expected: `A command is written like ${commandExample}`,
  }
}

export function unreadableStampFault(key: string): Fault {
  return {
    code: 'E110',
    cause: `"${key}" is neither a text nor a whole number`,
    expected: key === 'id' ? 'An id has 1 to 64 characters' : 'It is a time such as 2026-01-31T12:00:00Z',
    parameter: key,
  }
}

export function noScalarFault(name: string, kind: string): Fault {
  return {
    code: 'E110',
    cause: kind === 'null' ? `the value of "${name}" is null` : `the value of "${name}" is ${article(kind)}`,
    expected: 'A value is a text, a number, true or false',
    parameter: name,
  }
}

function article(kind: string): string {
  return kind === 'object' ? 'an object' : `a ${kind}`
}
