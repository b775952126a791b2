import type { LiveEvent } from '@tripline/proto/live-event'

type Details = NonNullable<LiveEvent['details']>

/** The icon and the colour of a line of the live log. */
export type LogLook =
  | LiveEvent['type']
  | Extract<
      NonNullable<Details['phase']>,
      'start' | 'success' | 'keepalive' | 'unknown' | 'amended' | 'alarm' | 'waiting' | 'filled'
    >

const ofPhase: Partial<Record<LiveEvent['type'], readonly LogLook[]>> = {
  command: ['start', 'success', 'waiting', 'amended'],
  client_pool: ['keepalive'],
  exchange: ['filled'],
  error: ['unknown', 'alarm', 'amended'],
}

/** The look of an event: by its type, and by its phase where that says more. */
export function logLookOf({ type, details }: LiveEvent): LogLook {
  const look = ofPhase[type]?.find((each) => each === details?.phase)
  return look ?? type
}
