import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { themeColors } from '../web/src/ui/theme-tokens.ts'
import { contrast, distance, type Rgb, rgbOf, type Vision, visions } from './color.ts'
import { rootDir } from './paths.ts'

const read = (file: string) => readFileSync(path.join(rootDir, 'web/src/ui', file), 'utf8')
const themes = ['dark', 'light'] as const
const statuses = ['success', 'partial', 'failed'] as const
const grounds = ['background', 'surface', 'surface-raised'] as const

/** The colors that a rule gives to variables. */
function colorsOf(css: string, selector: string): Record<string, Rgb> {
  const at = css.indexOf(`${selector} {`)
  const rule = css.slice(at, css.indexOf('}', at))
  const found = rule.matchAll(/--([\w-]+):\s*(#[0-9a-f]+);/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, rgbOf(value)]))
}

const color = (colors: Record<string, Rgb>, name: string): Rgb => {
  const found = colors[name]
  if (found === undefined) throw new Error(`There is no color --${name}`)
  return found
}

describe.each(themes)('in the %s theme', (theme) => {
  const usual = colorsOf(read('theme.css'), `:root[data-theme="${theme}"]`)
  const chosen = colorsOf(read('palette.css'), `:root[data-palette="colour-blind"][data-theme="${theme}"]`)

  test.each(visions)(
    'the palette for everybody keeps the statuses apart for eyes without %s',
    (vision: Vision) => {
      for (const [one, other] of pairs) {
        expect(distance(color(chosen, one), color(chosen, other), vision)).toBeGreaterThanOrEqual(20)
      }
    },
  )

  test('a disabled control can be read all the same', () => {
    const text = rgbOf(themeColors[theme].colorTextDisabled)
    for (const ground of grounds)
      expect(contrast(text, veiled(color(usual, ground), theme))).toBeGreaterThanOrEqual(4.5)
  })

  test.each([
    ['usual', usual],
    ['chosen', { ...usual, ...chosen }],
  ])('statuses of the %s palette are readable on every ground', (_name, colors) => {
    for (const status of statuses) {
      for (const ground of grounds) {
        expect(contrast(color(colors, status), color(colors, ground))).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

/** A ground with the veil that antd lays over it below what cannot be pressed. */
function veiled(ground: Rgb, theme: (typeof themes)[number]): Rgb {
  const [veil, share] = theme === 'dark' ? [1, 0.08] : [0, 0.04]
  const mixed = (part: number) => part + (veil - part) * share
  return [mixed(ground[0]), mixed(ground[1]), mixed(ground[2])]
}

const pairs = [
  ['success', 'partial'],
  ['success', 'failed'],
  ['partial', 'failed'],
] as const
