import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { themeColors, themeTokens } from './src/ui/theme-tokens.ts'

const moduleName = 'virtual:antd-tokens'

/** Puts in antd's tokens of each theme, worked out when the app is built and not by every browser. */
export function antdTokens(): Plugin {
  return {
    name: 'antd-tokens',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load: (id) =>
      id === `\0${moduleName}`
        ? `export const derivedTokens = ${JSON.stringify(derivedTokens())}`
        : undefined,
  }
}

function derivedTokens() {
  const require = createRequire(import.meta.url)
  const { theme }: typeof import('antd') = require('antd')
  const seed = { ...theme.defaultSeed, ...themeTokens }
  return {
    dark: theme.darkAlgorithm({ ...seed, ...themeColors.dark }),
    light: theme.defaultAlgorithm({ ...seed, ...themeColors.light }),
  }
}
