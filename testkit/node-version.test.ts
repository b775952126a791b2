import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { rootDir } from './paths.ts'
import { isVersionAtLeast } from './version.ts'

test('the Node that runs the tests is as new as the workspace asks for', () => {
  const manifest = JSON.parse(readFileSync(path.join(rootDir, 'package.json'), 'utf8'))
  const floor = manifest.engines.node.replace('>=', '').split('.').map(Number)
  expect(isVersionAtLeast(process.version, floor)).toBe(true)
})
