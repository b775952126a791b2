import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { z } from 'zod'
import OwnGlobal from './jest-environment.mjs'

test('an error of Node is an Error, as in production', () => {
  const read = (): string => readFileSync('/nowhere', 'utf8')
  expect(read).toThrow(Error)
})

test('an error of a package is an Error', () => {
  expect(z.string().safeParse(1).error).toBeInstanceOf(Error)
})

test('behind a file the global object, the variables and the listeners are as before', async () => {
  const environment = new OwnGlobal({ projectConfig: {} })
  const { fetch } = globalThis
  const stop = (): void => undefined
  Object.assign(globalThis, { fetch: stop, leftBehind: true })
  Object.assign(process.env, { LEFT_BEHIND: 'true' })
  process.on('SIGTERM', stop)
  await environment.teardown()
  expect(globalThis.fetch).toBe(fetch)
  expect(globalThis).not.toHaveProperty('leftBehind')
  expect(process.env).not.toHaveProperty('LEFT_BEHIND')
  expect(process.listeners('SIGTERM')).not.toContain(stop)
})
