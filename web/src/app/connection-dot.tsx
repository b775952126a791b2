import { useLiveState } from '../shared/live/use-live.ts'
import { texts } from '../shared/texts.ts'

/** Whether the live events come in, as a dot with its words behind it. */
export function ConnectionDot() {
  const state = useLiveState()
  const { live, connecting, reconnecting } = texts.connection
  const said =
    state.phase === 'reconnecting' ? reconnecting(state.attempt) : { live, connecting }[state.phase]
  return (
    <span className={`connection connection-${state.phase}`} role="img" aria-label={said} title={said}>
      <span className="connection-dot" />
    </span>
  )
}
