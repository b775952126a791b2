import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { rootDir } from '@tripline/testkit/paths'

const sources = path.join(rootDir, 'web/src')

/** The classes that a stylesheet names and that are not antd's. */
function classesOf(file: string): Set<string> {
  const css = readFileSync(path.join(sources, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const selectors = [...css.matchAll(/([^{}]+)\{/g)].map(([, selector = '']) => selector)
  const names = selectors.flatMap((selector) => [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)])
  return new Set(names.map(([, name = '']) => name).filter((name) => !/^(is-|ant)/.test(name)))
}

// A stylesheet stays once its screen was opened, so a class of two features means what was opened last.
test('no class has the rules of two features', async () => {
  const shared = new Set<string>()
  const owners = new Map<string, Set<string>>()
  for await (const file of glob('{app,features/*,ui}/**/*.css', { cwd: sources })) {
    const [part = '', feature = ''] = file.split(path.sep)
    for (const name of classesOf(file)) {
      if (part === 'ui') shared.add(name)
      else owners.set(name, (owners.get(name) ?? new Set()).add(part === 'app' ? part : feature))
    }
  }
  expect(owners.size).toBeGreaterThan(100)
  const torn = [...owners].filter(([name, features]) => features.size > 1 && !shared.has(name))
  expect(torn.map(([name, features]) => `${name}: ${[...features].join(', ')}`)).toEqual([])
})
