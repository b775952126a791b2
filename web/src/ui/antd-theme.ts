import { type ThemeConfig, theme } from 'antd'
import type { Theme } from '../shared/theme.ts'
import { themeTokens } from './theme-tokens.ts'

// The same values as the variables of base.css, for the parts that antd draws.
const colors = {
  dark: {
    colorBgBase: '#0d1117',
    colorBgContainer: '#151b23',
    colorBgElevated: '#1c232d',
    colorBgLayout: '#0d1117',
    colorBgSpotlight: '#303a46',
    colorText: '#e6edf3',
    colorTextSecondary: '#a2adb9',
    colorTextDescription: '#a2adb9',
    colorTextPlaceholder: '#8b96a3',
    colorBorder: '#3d4652',
    colorBorderSecondary: '#2a323c',
    colorLink: '#6cb0ff',
    colorSuccess: '#3fb950',
    colorWarning: '#e3b341',
    colorError: '#ff7b72',
  },
  light: {
    colorBgBase: '#ffffff',
    colorBgLayout: '#f6f8fa',
    colorText: '#1f2328',
    colorTextSecondary: '#57606a',
    colorTextDescription: '#57606a',
    colorTextPlaceholder: '#6b7480',
    colorBorder: '#c4ccd4',
    colorBorderSecondary: '#dfe4e9',
    colorLink: '#0b5cd0',
    colorSuccess: '#116329',
    colorWarning: '#7d4e00',
    colorError: '#b3261e',
    // What antd derives from these dark colors is mud.
    colorSuccessBg: '#e8f6ec',
    colorSuccessBorder: '#a3d3b1',
    colorWarningBg: '#fff6e0',
    colorWarningBorder: '#e0c178',
    colorErrorBg: '#fdedeb',
    colorErrorBorder: '#e9aaa5',
  },
}

// What antd derives for these from the primary color is too faint to read.
const hovered = { dark: colors.dark.colorLink, light: colors.light.colorLink }

// With `zeroRuntime` antd sets only the theme's variables; its rules come as one file, made when the app is built.
/** How antd draws its parts in a theme. */
export function antdTheme(name: Theme): ThemeConfig {
  const algorithm = name === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm
  const color = hovered[name]
  return {
    algorithm,
    token: { ...themeTokens, ...colors[name] },
    components: {
      Button: {
        defaultHoverColor: color,
        defaultHoverBorderColor: color,
        defaultActiveColor: color,
        defaultActiveBorderColor: color,
        // White on the light red of the dark theme is not to be read.
        ...(name === 'dark' && { dangerColor: colors.dark.colorBgBase }),
      },
    },
    zeroRuntime: true,
    hashed: false,
  }
}
