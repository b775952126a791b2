const mono = "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"

/** The look of antd's parts in every theme. */
export const themeTokens = {
  fontFamily: sans,
  fontFamilyCode: mono,
  fontSize: 14,
  borderRadius: 6,
  colorPrimary: '#1f6feb',
  // White on what antd derives here is too faint to read.
  colorPrimaryHover: '#1b62d6',
  colorPrimaryActive: '#1554bd',
  controlHeight: 34,
}

/** Its colors by theme: the values of the variables of base.css, for the parts that antd draws. */
export const themeColors = {
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
    // The color that antd derives for disabled parts is too faint to read, and blue around it.
    colorTextDisabled: '#949fac',
    colorBorder: '#3d4652',
    colorBorderSecondary: '#2a323c',
    colorBorderDisabled: '#2a323c',
    colorLink: '#6cb0ff',
    // The color that antd derives for a link under the pointer is too faint to read.
    colorLinkHover: '#9ccaff',
    colorLinkActive: '#9ccaff',
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
    colorTextDisabled: '#5f6873',
    colorBorder: '#c4ccd4',
    colorBorderSecondary: '#dfe4e9',
    colorBorderDisabled: '#dfe4e9',
    colorLink: '#0b5cd0',
    colorLinkHover: '#0a479f',
    colorLinkActive: '#0a479f',
    colorSuccess: '#116329',
    colorWarning: '#7d4e00',
    colorError: '#b3261e',
    // The colors that antd derives from these dark ones are mud.
    colorSuccessBg: '#e8f6ec',
    colorSuccessBorder: '#a3d3b1',
    colorWarningBg: '#fff6e0',
    colorWarningBorder: '#e0c178',
    colorErrorBg: '#fdedeb',
    colorErrorBorder: '#e9aaa5',
  },
}
