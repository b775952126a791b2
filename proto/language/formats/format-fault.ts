import { type KnownBot, listLabels } from '../label.ts'
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

export function unclosedTextFault(written: string): Fault {
  return {
    code: 'E107',
    cause: `the text ${quoted(written)} is not closed`,
    expected: 'In JSON a double quote ends it',
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

export function noFieldObjectFault(): Fault {
  return {
    code: 'E101',
    cause: 'the alert is not a JSON object',
    expected: "In this webhook's format it is written in braces",
  }
}

export function noAlertFault(shape: string): Fault {
  return {
    code: 'E101',
    cause: "no command of this webhook's format is found",
    expected: `A command is written like ${shape}`,
  }
}

export function unknownFieldFault(path: string, paths: readonly string[]): Fault {
  const suggestion = nearest(path, paths)?.split('.').at(-1)
  return {
    code: 'E205',
    cause: `unknown field ${quoted(path)}`,
    expected: "It is not known to this webhook's format, so nothing of the alert is run",
    parameter: path,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

export function refusedFieldFault(path: string, note: string): Fault {
  return {
    code: 'E404',
    cause: `"${path}" cannot be honored`,
    expected: `${note.charAt(0).toUpperCase()}${note.slice(1)}, so nothing of the alert is run`,
    parameter: path,
  }
}

export function twiceFault(path: string): Fault {
  return { code: 'E207', cause: `"${path}" is given twice`, parameter: path }
}

export function missingFieldFault(path: string, hint: string): Fault {
  return { code: 'E208', cause: `"${path}" is missing`, expected: hint, parameter: path }
}

export function contradictionFault(path: string, other: string): Fault {
  return {
    code: 'E209',
    cause: `"${path}" contradicts "${other}"`,
    expected: 'Only one of them can hold',
    parameter: path,
  }
}

export function badChoiceFault(path: string, text: string, choices: readonly string[]): Fault {
  const suggestion = nearest(text, choices)
  return {
    code: 'E308',
    cause: `${quoted(text)} is not one of the choices of "${path}"`,
    expected: `The choices are ${choices.join(', ')}`,
    parameter: path,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

export function badFlagFault(path: string, text: string): Fault {
  return {
    code: 'E307',
    cause: `${quoted(text)} is neither true nor false`,
    expected: 'It is true or false',
    parameter: path,
  }
}

export function badNumberFault(path: string, text: string): Fault {
  const isZeroOrLess = /^-?[\d.]+$/.test(text)
  return {
    code: isZeroOrLess ? 'E304' : 'E302',
    cause: isZeroOrLess ? `${quoted(text)} is not greater than zero` : `${quoted(text)} is not a number`,
    expected: `"${path}" is a number above zero, written like 0.01`,
    parameter: path,
  }
}

export function whichBotFault(bots: readonly KnownBot[]): Fault {
  return {
    code: 'E208',
    cause: 'the alert does not say which bot is meant',
    expected:
      bots.length === 0 ? listLabels(bots) : `${listLabels(bots)}. With several of them, one is named`,
    parameter: 'bot',
  }
}

export function spotMismatchFault(exchange: string, isSpotBot: boolean): Fault {
  return {
    code: 'E403',
    cause: `${quoted(exchange)} is ${isSpotBot ? 'a futures' : 'a spot'} market and this bot trades ${isSpotBot ? 'spot' : 'futures'}`,
    expected: 'The alert and the bot are of one market',
  }
}

export function unreadableTimeFault(path: string, text: string): Fault {
  return {
    code: 'E308',
    cause: `${quoted(text)} is not a time`,
    expected: `"${path}" is written like 2026-01-31T12:00:00Z`,
    parameter: path,
  }
}

export function unknownWordFault(word: string, bots: readonly KnownBot[]): Fault {
  const suggestion = nearest(
    word,
    bots.map(({ label }) => label),
  )
  return {
    code: 'E201',
    cause: `${quoted(word)} is neither a bot nor a symbol, a command or a quantity`,
    expected: listLabels(bots),
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}
