import type { Command } from '@tripline/proto/alert-tree'

/** Returns the text of each parameter of a command, by its canonical name, in the words of the message. */
export function paramsOf(command: Command, message: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(command.valueSpans).map(([name, span]) => [
      name,
      message.slice(span.offset, span.offset + span.length),
    ]),
  )
}
