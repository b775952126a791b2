import type { KnownBot } from '../label.ts'
import { type MessageReading, readMessage, readWritten } from '../read-message.ts'
import type { AlertFormat } from './alert-format.ts'
import { isJson } from './envelope.ts'
import { foreignFormats } from './formats.ts'
import { readTriplineJson } from './tripline-json.ts'

/** Reads an alert in this format of the user who has these bots. The places of problems are places of the text. */
export function readAlert(text: string, format: AlertFormat, bots: readonly KnownBot[]): MessageReading {
  if (format === 'tripline') {
    return isJson(text) ? readWritten(text, bots, readTriplineJson) : readMessage(text, bots)
  }
  const { read } = foreignFormats[format]
  return readWritten(text, bots, (readable, problems) => read({ readable, problems, bots }))
}
