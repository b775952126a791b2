import type { Span } from '@tripline/kit/telemetry/trace'
import { now } from '@tripline/kit/time/clock'
import type { Venue } from './venue.ts'

/** The venue, of which every question is a span within the one that is open then. */
export function tracedVenue(venue: Venue, market: string, spanNow: () => Span): Venue {
  const ask = async <Answer>(
    question: string,
    put: (span: Span) => Promise<Answer>,
    outcomeOf: (answer: Answer) => string,
  ): Promise<Answer> => {
    const span = spanNow().begin(`venue.${question}`, 'client', now())
    try {
      const answer = await put(span)
      span.end({ venue: market, outcome: outcomeOf(answer) })
      return answer
    } finally {
      // Only a fault has left it open.
      span.end({ venue: market, outcome: 'fault' })
    }
  }
  const notedBy = (span: Span, onSent: () => void) => (): void => {
    onSent()
    span.note('sent', now())
  }
  const outcome = (answer: { outcome: string }): string => answer.outcome
  const { placeOco } = venue
  return {
    ...venue,
    place: async (order, onSent, isPermitted) =>
      await ask(
        'place',
        async (span) => await venue.place(order, notedBy(span, onSent), isPermitted),
        outcome,
      ),
    ...(placeOco !== undefined && {
      placeOco: async (pair, onSent, isPermitted) =>
        await ask(
          'placeOco',
          async (span) => await placeOco(pair, notedBy(span, onSent), isPermitted),
          ([one, other]) => (outcome(one) === 'done' ? outcome(other) : outcome(one)),
        ),
    }),
    lookUp: async (ref, depth) => await ask('lookUp', async () => await venue.lookUp(ref, depth), outcome),
    cancel: async (ref, seenAt) => await ask('cancel', async () => await venue.cancel(ref, seenAt), outcome),
    openOrders: async (symbol, isUrgent) =>
      await ask('openOrders', async () => await venue.openOrders(symbol, isUrgent), outcome),
    read: async (symbol, need) => await ask('read', async () => await venue.read(symbol, need), outcome),
    changeSettings: async (symbol, change) =>
      await ask('changeSettings', async () => await venue.changeSettings(symbol, change), outcome),
  }
}
