import { serve } from '@tripline/kit/bus/request'
import { now } from '@tripline/kit/time/clock'
import { findMessages } from '@tripline/proto/notification-request'
import type { Deps } from '../deps.ts'
import { isOn, refusalsId } from '../domain/note.ts'
import { findFailure } from '../store/delivery.ts'
import { findNotes } from '../store/note.ts'

/** Serves `notifier.message.find`. */
export function serveFindMessages({ bus, config, db, settingsOf }: Deps): () => void {
  const lifeMs = config.SENT_NOTE_LIFE_DAYS * 86_400_000
  return serve(bus, findMessages, async ({ userId, executionId, at, refusedAt }) => {
    const ids = refusedAt === undefined ? [] : [refusalsId(userId, refusedAt)]
    const [notes, { lastError }] = await Promise.all([
      findNotes(db, userId, { prefix: `${executionId}.`, ids }),
      findFailure(db, userId),
    ])
    // The failure of the user's deliveries outlives a message sent since by the moment until its delivery is given back.
    const failing = notes.waiting > 0 ? lastError : null
    return { isOn: isOn(settingsOf(userId)), isKnown: at > now() - lifeMs, ...notes, lastError: failing }
  })
}
