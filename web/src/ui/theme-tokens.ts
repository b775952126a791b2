const mono = "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"

/** What antd's parts look like in every theme. */
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
