import { parameterTable, type WrittenName } from './command-table.ts'
import type { Fault } from './problem.ts'
import type { ValueSyntax } from './syntax.ts'
import { placeholderFault, quoted } from './syntax-fault.ts'
import type { Amount } from './tree.ts'
import {
  type Reading,
  readAmount,
  readBoolean,
  readChoice,
  readCoin,
  readDuration,
  readLeverage,
  readOffset,
  readOrderId,
  readPosition,
  readPositionMode,
  readPrice,
  readSide,
  readTag,
} from './value.ts'

type ParameterValue = string | number | boolean | object

/** Returns the value for this parameter, or its fault for a bot of this market. */
export function readParameter(
  parameter: WrittenName,
  value: ValueSyntax,
  market: 'futures' | 'spot' | undefined,
): Reading<ParameterValue> {
  if (value.placeholder) return { fault: placeholderFault(placeholderText(value)) }
  if (value.text === '') return { fault: { ...emptyValueFault(parameter), parameter } }
  const reading = readText(parameter, value.text)
  if (reading.fault) return { fault: { ...reading.fault, parameter } }
  const isRefused = market === 'spot' && isRefusedOnSpot(parameter, reading.value)
  return isRefused ? { fault: { ...spotFault(parameter, value.text), parameter } } : reading
}

function readText(parameter: WrittenName, text: string): Reading<ParameterValue> {
  const { kind, choices = [] } = parameterTable[parameter]
  switch (kind) {
    case 'side':
      return readSide(text)
    case 'amount':
      return readAmount(text)
    case 'position':
      return readPosition(text)
    case 'price':
      return readPrice(text)
    case 'offset':
      return readOffset(text)
    case 'boolean':
      return readBoolean(text)
    case 'choice':
      return readChoice(text, choices)
    case 'positionMode':
      return readPositionMode(text, choices)
    case 'tag':
      return readTag(text)
    case 'orderId':
      return readOrderId(text)
    case 'duration':
      return readDuration(text)
    case 'leverage':
      return readLeverage(text)
    case 'coin':
      return readCoin(text)
  }
}

function isRefusedOnSpot(parameter: WrittenName, value: ParameterValue): boolean {
  switch (parameterTable[parameter].refusedOnSpot) {
    case 'always':
      return true
    case 'whenTrue':
      return value === true
    case 'unlessLast':
      return value !== 'last'
    case 'whenNegative':
      return isAmount(value) && value.value.startsWith('-')
    default:
      return false
  }
}

function isAmount(value: ParameterValue): value is Amount {
  return typeof value === 'object' && 'basis' in value
}

function placeholderText({ text, start, placeholder }: ValueSyntax): string {
  return placeholder ? text.slice(Math.max(0, placeholder.start - start), placeholder.end - start) : text
}

function emptyValueFault(parameter: WrittenName): Fault {
  return {
    code: 'E110',
    cause: `the value of "${parameter}" is empty`,
    expected: 'The placeholder that should give it was probably empty',
  }
}

function spotFault(parameter: WrittenName, text: string): Fault {
  return {
    code: 'E404',
    cause: `${quoted(text)} for "${parameter}" is not available on spot`,
    expected: 'A spot bot has no positions, no shorts and no leverage',
  }
}
