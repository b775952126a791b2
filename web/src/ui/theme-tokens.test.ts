import { expect, test } from '@jest/globals'
import { themeColors } from './theme-tokens.ts'

const { dark, light } = themeColors
const grounds = {
  dark: [dark.colorBgLayout, dark.colorBgContainer, dark.colorBgElevated, dark.colorBgSpotlight],
  light: [light.colorBgBase, light.colorBgLayout, light.colorBorderSecondary],
}

test.each([
  ['dark', 'colorLink'],
  ['dark', 'colorLinkHover'],
  ['dark', 'colorLinkActive'],
  ['light', 'colorLink'],
  ['light', 'colorLinkHover'],
  ['light', 'colorLinkActive'],
] as const)('in the %s theme %s can be read on everything that links stand on', (theme, token) => {
  const contrasts = grounds[theme].map((ground) => contrast(themeColors[theme][token], ground))
  expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
})

/** Returns the contrast of two colors as WCAG counts it. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
