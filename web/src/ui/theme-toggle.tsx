import MoonOutlined from '@ant-design/icons/MoonOutlined'
import SunOutlined from '@ant-design/icons/SunOutlined'
import { texts } from '../shared/texts.ts'
import { chooseTheme, useTheme } from '../shared/theme.ts'
import { IconButton } from './icon-button.tsx'

/** Switches between the dark and the light theme. */
export function ThemeToggle() {
  const isDark = useTheme() === 'dark'
  return (
    <IconButton
      size="medium"
      icon={isDark ? <SunOutlined aria-hidden="true" /> : <MoonOutlined aria-hidden="true" />}
      label={isDark ? texts.shell.toLight : texts.shell.toDark}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    />
  )
}
