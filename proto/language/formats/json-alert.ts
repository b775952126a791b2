import type { WrittenMessage } from '../read-message.ts'
import type { Stamps } from '../stamp.ts'
import type { CommandSyntax } from '../syntax.ts'
import { botOf, isSpot, writtenAlert } from './alert-block.ts'
import { type AlertContext, type FieldRules, type Fields, neededText, readFields } from './fields.ts'
import { parseJson } from './json.ts'

/** The reading of a format whose alerts are one JSON object: where to trade, and what. */
export interface JsonAlert {
  fields: FieldRules
  /** The field with the symbol, and what to say where it is missing. */
  symbol: { field: string; hint: string }
  commandsOf: (fields: Fields, isSpotBot: boolean) => CommandSyntax[]
  /** Until when the alert may be run, where the format says so. */
  validity?: (fields: Fields) => Pick<Stamps, 'validUntil'>
}

/** Returns the one block of an alert that is a JSON object; none, and a problem, if its bot or symbol is missing. */
export function readJsonAlert(context: AlertContext, alert: JsonAlert): WrittenMessage {
  const root = parseJson(context.readable.text, context.problems)
  const fields = root && readFields(root, alert.fields, context.problems)
  if (!fields || !root) return writtenAlert(context, [])
  const bot = botOf(context, fields)
  const symbol = neededText(fields, alert.symbol.field, alert.symbol.hint)
  const commands = alert.commandsOf(fields, isSpot(context.bots, bot))
  if (!bot || !symbol) return writtenAlert(context, [])
  return writtenAlert(
    context,
    [{ bot, symbol, commands, start: root.start, end: root.end }],
    alert.validity?.(fields),
  )
}
