import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { readAlertMessage } from '@tripline/proto/intake-request'
import { readAlert } from '../domain/reading.ts'
import type { Webhooks } from './webhooks.ts'

// A user who has linked nothing yet has no webhook either.
const withoutBots = { bots: [], botsByLabel: new Map() }

/** Reads messages as a webhook of this format would, and runs nothing; returns an unsubscribe function. */
export function serveReadings(bus: Bus, webhooks: Webhooks): () => void {
  return serve(bus, readAlertMessage, async ({ userId, message, alertFormat }) => {
    const webhook = { ...(webhooks.ofUser(userId) ?? withoutBots), alertFormat }
    // An alert that is tried out may be as old as it likes.
    const reading = readAlert(message, webhook, 0)
    const { diagnostics } = reading
    return reading.outcome === 'read' ? { blocks: reading.blocks, diagnostics } : { blocks: [], diagnostics }
  })
}
