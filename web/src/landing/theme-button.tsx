import { chooseTheme, useTheme } from '../shared/theme.ts'
import { landingTexts } from './landing-texts.ts'

/** Switches between the dark and the light theme. */
export function ThemeButton() {
  const isDark = useTheme() === 'dark'
  const label = isDark ? landingTexts.toLight : landingTexts.toDark
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    >
      <span aria-hidden="true">{isDark ? '☀\uFE0E' : '☾'}</span>
    </button>
  )
}
