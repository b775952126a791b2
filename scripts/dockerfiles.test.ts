import { expect, test } from '@jest/globals'
import { dockerfileFaults } from './dockerfiles.ts'

test('a sound Dockerfile has no faults', () => {
  const sound = 'FROM node:24\nEXPOSE 8080\nHEALTHCHECK CMD ["node", "probe.js"]\nENTRYPOINT ["node"]\n'
  expect(dockerfileFaults(sound)).toEqual([])
})

test.each([
  ['an instruction that nobody knows', 'FROM node:24\nRNU ls\n', 'line 2'],
  ['a port that is none', 'FROM node:24\nEXPOSE eighty\n', 'line 2'],
  ['no base', 'RUN ls\n', 'line 1'],
  ['a health check without a command', 'FROM node:24\nHEALTHCHECK --interval=10s CMD\n', 'line 2'],
])('%s is a fault', (_name, text, where) => {
  expect(dockerfileFaults(text).join('\n')).toContain(where)
})
