import type { FlightView } from '@tripline/proto/http/execution'
import { z } from 'zod'
import { durationText } from '../../shared/format.ts'
import { timeText } from '../../shared/moment-text.ts'
import { coinText, numbersInText, numberText, priceText } from '../../shared/number-text.ts'
import { texts } from './texts.ts'

type FlightEvent = FlightView['events'][number]

const NoteFields = z
  .object({
    side: z.string(),
    quantity: z.string(),
    spends: z.object({ amount: z.string(), coin: z.string() }),
    venue_order_id: z.string(),
    filled: z.string(),
    average_price: z.string().nullable(),
    fee: z.object({ amount: z.string(), coin: z.string() }).nullable(),
    round_trip_ms: z.number(),
    cause: z.string(),
    code: z.string(),
    text: z.string(),
    wake_at: z.number(),
  })
  .partial()

/**
 * Returns the note of an event of a command beside the command itself; undefined if there is none; times by a zone's
 * clock.
 */
export function noteOf({ kind, details }: FlightEvent, zone: string): string | undefined {
  const fields = NoteFields.safeParse(details).data ?? {}
  const { details: words } = texts
  switch (kind) {
    case 'order.sent':
      return line(
        fields.side,
        fields.spends ? spending(fields.spends) : numberOf(fields.quantity),
        words.sent,
      )
    case 'order.acknowledged':
      return line(words.acknowledged, order(fields), roundTrip(fields))
    case 'order.filled':
      return line(
        words.filled,
        numberOf(fields.filled),
        fields.average_price && `@ ${priceText(fields.average_price)}`,
        order(fields),
        fields.fee && `${words.fee} ${coinText(fields.fee.amount, fields.fee.coin)}`,
      )
    case 'order.canceled':
      return line(words.canceled, order(fields))
    case 'command.unknown':
      return line(`${words.unknown}:`, fields.cause && numbersInText(fields.cause))
    case 'command.waiting':
      return line(words.waiting, fields.wake_at && timeText(new Date(fields.wake_at).toISOString(), zone))
    case 'command.alarm':
      return line(fields.code, fields.text && numbersInText(fields.text))
    case 'command.amended':
      return words.amended
    case 'group.changed':
      return fields.text && numbersInText(fields.text)
    default:
      return undefined
  }
}

type NoteFields = z.infer<typeof NoteFields>

const spending = ({ amount, coin }: NonNullable<NoteFields['spends']>) => `for ${coinText(amount, coin)}`

const numberOf = (text: string | undefined) => text && numberText(text)

const line = (...parts: (string | number | null | undefined)[]): string => parts.filter(Boolean).join(' ')

const order = ({ venue_order_id }: NoteFields) => venue_order_id && `order ${venue_order_id}`

const roundTrip = ({ round_trip_ms }: NoteFields) =>
  round_trip_ms === undefined ? undefined : `in ${durationText(round_trip_ms)}`
