import { Segmented, Switch } from 'antd'
import { useMemo } from 'react'
import { choosePalette, usePalette } from '../../shared/palette.ts'
import { chooseTheme, type Theme, useTheme } from '../../shared/theme.ts'
import { chooseClock, useClock, zoneNames, zoneOf } from '../../shared/zone.ts'
import { Panel } from '../../ui/panel.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
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
  return (
    <Panel title={display.heading}>
      <SettingRow label={display.theme}>
        <Segmented aria-label={display.theme} options={themes} value={theme} onChange={chooseTheme} />
      </SettingRow>
      <SettingRow label={display.palette} note={display.paletteNote}>
        {(id) => (
          <Switch
            id={id}
            checked={palette === 'colour-blind'}
            onChange={(isOn) => choosePalette(isOn ? 'colour-blind' : 'usual')}
          />
        )}
      </SettingRow>
      <SettingRow label={display.clock} note={display.clockNote}>
        {(id) => <ClockChoice id={id} />}
      </SettingRow>
    </Panel>
  )
}

/** The zone by which times are shown, in this browser. */
function ClockChoice({ id }: { id: string }) {
  const clock = useClock()
  const zones = useMemo(zoneNames, [])
  return (
    <select
      id={id}
      className="plain-field"
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
  )
}
