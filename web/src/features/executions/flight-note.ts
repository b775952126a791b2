import type { FlightView } from '@tripline/proto/http/execution'
import { z } from 'zod'
import { durationText } from '../../shared/format.ts'
import { timeText } from '../../shared/moment-text.ts'
import { coinText, numbersInText, numberText, priceText } from '../../shared/number-text.ts'
import { texts } from './texts.ts'

type FlightEvent = FlightView['events'][number]

const Told = z
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

/** What an event of a command says beside what the command says itself; undefined where that is nothing; times by a zone's clock. */
export function noteOf({ kind, details }: FlightEvent, zone: string): string | undefined {
  const told = Told.safeParse(details).data ?? {}
  const { details: words } = texts
  switch (kind) {
    case 'order.sent':
      return line(told.side, told.spends ? spending(told.spends) : numberOf(told.quantity), words.sent)
    case 'order.acknowledged':
      return line(words.acknowledged, order(told), roundTrip(told))
    case 'order.filled':
      return line(
        words.filled,
        numberOf(told.filled),
        told.average_price && `@ ${priceText(told.average_price)}`,
        order(told),
        told.fee && `${words.fee} ${coinText(told.fee.amount, told.fee.coin)}`,
      )
    case 'order.canceled':
      return line(words.canceled, order(told))
    case 'command.unknown':
      return line(`${words.unknown}:`, told.cause && numbersInText(told.cause))
    case 'command.waiting':
      return line(words.waiting, told.wake_at && timeText(new Date(told.wake_at).toISOString(), zone))
    case 'command.alarm':
      return line(told.code, told.text && numbersInText(told.text))
    case 'command.amended':
      return words.amended
    case 'group.changed':
      return told.text && numbersInText(told.text)
    default:
      return undefined
  }
}

type Told = z.infer<typeof Told>

const spending = ({ amount, coin }: NonNullable<Told['spends']>) => `for ${coinText(amount, coin)}`

const numberOf = (text: string | undefined) => text && numberText(text)

const line = (...parts: (string | number | null | undefined)[]): string => parts.filter(Boolean).join(' ')

const order = ({ venue_order_id }: Told) => venue_order_id && `order ${venue_order_id}`

const roundTrip = ({ round_trip_ms }: Told) =>
  round_trip_ms === undefined ? undefined : `in ${durationText(round_trip_ms)}`
