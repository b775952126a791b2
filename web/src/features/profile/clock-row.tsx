import { useId, useMemo } from 'react'
import { chooseClock, useClock, zoneNames, zoneOf } from '../../shared/zone.ts'
import { profileTexts } from './texts.ts'

const { display } = profileTexts

/** The zone by which times are shown, in this browser. */
export function ClockRow() {
  const clock = useClock()
  const zones = useMemo(zoneNames, [])
  const id = useId()
  return (
    <div className="display-row">
      <div>
        <label htmlFor={id}>{display.clock}</label>
        <p className="quiet">{display.clockNote}</p>
      </div>
      <select
        id={id}
        className="clock-choice"
        value={clock}
        onChange={({ target }) => chooseClock(target.value)}
      >
        <option value="utc">{display.utc}</option>
        <option value="local">{display.local(zoneOf('local'))}</option>
        <optgroup label={display.zones}>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  )
}
