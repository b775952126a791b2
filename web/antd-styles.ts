import { glob, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type * as Extract from '@ant-design/static-style-extract'
import type { Plugin } from 'vite'
import { themeTokens } from './src/ui/theme-tokens.ts'

const moduleName = 'virtual:antd.css'
const sourceDir = path.join(import.meta.dirname, 'src')

/** Imports from antd that draw nothing themselves. */
const invisible = ['ConfigProvider']

/** Components that another one may draw, although nobody imports them. */
const drawnInside: Record<string, readonly string[]> = {
  Table: ['Pagination', 'Spin', 'Empty', 'Checkbox', 'Radio', 'Tooltip', 'Select', 'Input'],
  Select: ['Empty'],
  AutoComplete: ['Select', 'Empty'],
  Modal: ['Button'],
  Popconfirm: ['Popover', 'Button'],
  Dropdown: ['Menu'],
  Form: ['Tooltip'],
  Pagination: ['Select', 'Input'],
  Segmented: ['Tooltip'],
  Timeline: ['Steps'],
}

// Rules that mention this key belong to a variable of the theme, which the running app sets for the theme in use.
const throwAwayKey = 'thrown-away'
const themeRules = new RegExp(`[^{}]*${throwAwayKey}[^{}]*\\{[^{}]*\\}`, 'g')

/**
 * The styles of the antd components that the sources import, as one file in place of styles made at run time: the
 * app only sets the variables of its theme.
 */
export function antdStyles(): Plugin {
  return {
    name: 'antd-styles',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load: (id) => (id === `\0${moduleName}` ? extractedStyles() : undefined),
  }
}

async function extractedStyles(): Promise<string> {
  const require = createRequire(import.meta.url)
  const { extractStyle }: typeof Extract = require('@ant-design/static-style-extract')
  // The instances that the extraction renders with; imported, antd would be another, and React one for development.
  const { ConfigProvider }: typeof import('antd') = require('antd')
  const { createElement }: typeof import('react') = require('react')
  const theme = { token: themeTokens, cssVar: { key: throwAwayKey }, hashed: false }
  const css = extractStyle({
    includes: await drawnComponents(),
    customTheme: (node) => createElement(ConfigProvider, { theme }, node),
  })
  return css.replaceAll(themeRules, '')
}

/** The names of all antd components that can be seen in the app. */
async function drawnComponents(): Promise<string[]> {
  const imported = new Set<string>()
  for await (const file of glob('**/*.{ts,tsx}', { cwd: sourceDir })) {
    for (const name of antdImports(await readFile(path.join(sourceDir, file), 'utf8'))) imported.add(name)
  }
  const inside = [...imported].flatMap((name) => drawnInside[name] ?? [])
  return [...new Set([...imported, ...inside])].filter((name) => !invisible.includes(name)).sort()
}

function antdImports(source: string): string[] {
  const names = source.match(/import \{([^}]*)\} from 'antd'/)?.[1] ?? ''
  return names
    .split(',')
    .map((name) => name.trim().replace(/ as .*/, ''))
    .filter((name) => name !== '' && !name.startsWith('type '))
}
