import type { LiveEvent } from '@tripline/proto/live-event'

/** How a line of the live log is drawn: which icon, in which colour. */
export type LogLook =
  | 'webhook'
  | 'client_pool'
  | 'keepalive'
  | 'command'
  | 'start'
  | 'success'
  | 'exchange'
  | 'oco'
  | 'error'
  | 'connected'

/** The look of an event: by its type, and by its phase where that says more. */
export function logLookOf({ type, details }: LiveEvent): LogLook {
  const phase = details?.phase
  if (type === 'command' && (phase === 'start' || phase === 'success')) return phase
  if (type === 'client_pool' && phase === 'keepalive') return phase
  return type
}
