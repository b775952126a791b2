import { serve } from '@tripline/kit/bus/request'
import { getDelivery } from '@tripline/proto/notification-request'
import type { Deps } from '../deps.ts'
import { findFailure } from '../store/delivery.ts'

/** Serves `notifier.delivery.get`. */
export function serveGetDelivery({ bus, db }: Deps): () => void {
  return serve(bus, getDelivery, async ({ userId }) => await findFailure(db, userId))
}
