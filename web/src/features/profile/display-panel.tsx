import { Segmented, Switch } from 'antd'
import { useId, useMemo } from 'react'
import { choosePalette, usePalette } from '../../shared/palette.ts'
import { chooseTheme, type Theme, useTheme } from '../../shared/theme.ts'
import { chooseClock, useClock, zoneNames, zoneOf } from '../../shared/zone.ts'
import { Panel } from '../../ui/panel.tsx'
import { profileTexts } from './texts.ts'

const { display } = profileTexts
const themes: { value: Theme; label: string }[] = [
  { value: 'dark', label: display.dark },
  { value: 'light', label: display.light },
]

/** The look of the app in this browser. */
export function DisplayPanel() {
  const theme = useTheme()
  const palette = usePalette()
  const id = useId()
  return (
    <Panel title={display.heading}>
      <div className="display-row">
        <span>{display.theme}</span>
        <Segmented aria-label={display.theme} options={themes} value={theme} onChange={chooseTheme} />
      </div>
      <div className="display-row">
        <div>
          <label htmlFor={id}>{display.palette}</label>
          <p className="quiet">{display.paletteNote}</p>
        </div>
        <Switch
          id={id}
          checked={palette === 'colour-blind'}
          onChange={(isOn) => choosePalette(isOn ? 'colour-blind' : 'usual')}
        />
      </div>
      <ClockRow />
    </Panel>
  )
}

/** The zone by which times are shown, in this browser. */
function ClockRow() {
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
