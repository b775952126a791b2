import MoonOutlined from '@ant-design/icons/MoonOutlined'
import SunOutlined from '@ant-design/icons/SunOutlined'
import { Button } from 'antd'
import { texts } from '../shared/texts.ts'
import { chooseTheme, useTheme } from '../shared/theme.ts'

/** Switches between the dark and the light theme. */
export function ThemeToggle() {
  const isDark = useTheme() === 'dark'
  const label = isDark ? texts.shell.toLight : texts.shell.toDark
  return (
    <Button
      type="text"
      icon={isDark ? <SunOutlined aria-hidden="true" /> : <MoonOutlined aria-hidden="true" />}
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    />
  )
}
