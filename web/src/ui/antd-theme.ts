import { derivedTokens } from 'virtual:antd-tokens'
import type { ThemeConfig } from 'antd'
import type { Theme } from '../shared/theme.ts'
import { themeColors, themeTokens } from './theme-tokens.ts'

// The colors that antd derives for these from the primary color are too faint to read.
const hovered = { dark: themeColors.dark.colorLink, light: themeColors.light.colorLink }

// The same functions every time, since antd distinguishes themes by them.
const algorithms = { dark: () => derivedTokens.dark, light: () => derivedTokens.light }

/** The class that has the variables of the theme, for what antd's rules say of elements that are not its own, such as links. */
export const themeScope = 'antd-theme'

// With `zeroRuntime` antd sets only the theme's variables; its rules come as one file, made when the app is built.
/** Returns the look of antd's parts in a theme. */
export function antdTheme(name: Theme): ThemeConfig {
  const color = hovered[name]
  return {
    algorithm: algorithms[name],
    token: { ...themeTokens, ...themeColors[name] },
    components: {
      Timeline: { itemPaddingBottom: 8 },
      Button: {
        // Small ones stand in rows of this size.
        contentFontSizeSM: 13,
        defaultHoverColor: color,
        defaultHoverBorderColor: color,
        defaultActiveColor: color,
        defaultActiveBorderColor: color,
        // White on the light red of the dark theme is not to be read.
        ...(name === 'dark' && { dangerColor: themeColors.dark.colorBgBase }),
      },
    },
    cssVar: { key: themeScope },
    zeroRuntime: true,
    hashed: false,
  }
}
