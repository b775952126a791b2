import { momentText } from '../../shared/moment-text.ts'
import { texts } from './texts.ts'
import { switchClock, useClock } from './use-clock.ts'

/** When an execution began: the day quietly, the time to the millisecond. */
export function ExecutionTime({ instant }: { instant: string }) {
  const { day, time } = momentText(instant, useClock() === 'utc' ? 'UTC' : undefined)
  return (
    <time className="execution-time" dateTime={instant} title={instant}>
      <span className="quiet">{day}</span> {time}
    </time>
  )
}

/** Says by whose clock the times are, and changes that. */
export function ClockSwitch() {
  return (
    <button type="button" className="clock-switch" title={texts.switchClock} onClick={switchClock}>
      {texts.clocks[useClock()]}
    </button>
  )
}
