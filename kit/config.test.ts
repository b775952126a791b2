import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { busSettings, commonSettings, loadConfig, TrustedProxies } from './config.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'config-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const written = path.join(folder, name)
  writeFileSync(written, text)
  return written
}

const Settings = z.object({
  SECRET: z.string().min(16),
  ADDRESS: z.url(),
  COUNT: z.coerce.number().int().max(9).default(3),
  MODE: z.enum(['one', 'other']).optional(),
})
const good = { SECRET: 'sixteen characters', ADDRESS: 'http://localhost:1' }

function messageOf(env: Record<string, string | undefined>): string {
  try {
    loadConfig(Settings, env)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error('nothing was wrong')
}

describe('settings', () => {
  test('are read from the environment, and nothing else of it is', () => {
    expect(loadConfig(Settings, { ...good, COUNT: '7', PATH: '/bin' })).toEqual({ ...good, COUNT: 7 })
  })

  test('may lie in files, without the line end', () => {
    const env = { ...good, SECRET: undefined, SECRET_FILE: file('secret', 'from a file, long\n') }
    expect(loadConfig(Settings, env)).toMatchObject({ SECRET: 'from a file, long' })
  })

  test('that are given directly win over a file', () => {
    const env = { ...good, SECRET_FILE: path.join(folder, 'absent') }
    expect(loadConfig(Settings, env)).toMatchObject({ SECRET: good.SECRET })
  })

  test('that are empty count as absent', () => {
    expect(loadConfig(Settings, { ...good, COUNT: '', MODE: '  ' })).toEqual({ ...good, COUNT: 3 })
    expect(messageOf({ ...good, SECRET: '', SECRET_FILE: '' })).toContain('SECRET')
    expect(messageOf({ ...good, SECRET: ' ', SECRET_FILE: file('empty', '\n') })).toContain('SECRET')
  })

  test('are all named when they are wrong, and none of their values is printed', () => {
    const wrong = { SECRET: 'tooshort', ADDRESS: 'nowhere', COUNT: 'seven', MODE: 'third' }
    const message = messageOf(wrong)
    for (const name of Object.keys(wrong)) expect(message).toContain(`  ${name}: `)
    for (const value of Object.values(wrong)) expect(message).not.toContain(value)
  })

  test('with unreadable files are named with the others', () => {
    const message = messageOf({ ADDRESS: 'nowhere', SECRET_FILE: path.join(folder, 'absent') })
    expect(message).toContain('  SECRET_FILE: ')
    expect(message).toContain('  ADDRESS: ')
  })

  test('of every service have safe defaults', () => {
    const Service = z.object({ ...commonSettings, ...busSettings })
    expect(loadConfig(Service, { NATS_URL: 'nats://localhost' })).toEqual({
      LOG_LEVEL: 'info',
      TRIPLINE_MODE: 'production',
      HOST: '127.0.0.1',
      PORT: 0,
      NATS_URL: 'nats://localhost',
    })
    expect(() => loadConfig(Service, { NATS_URL: 'nats://localhost', PORT: '65536' })).toThrow('PORT')
  })
})

describe('the proxies that are trusted', () => {
  test.each([
    [undefined, 0],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('%j is %j', (text, meant) => {
    expect(TrustedProxies.parse(text)).toEqual(meant)
  })

  test.each(['-1', '10', 'all', 'true', '10.0.0.0/33', '10.0.0', '*', '10.0.0.1,', '1.2.3.4/8/8'])(
    '%j is refused',
    (text) => {
      expect(TrustedProxies.safeParse(text).success).toBe(false)
    },
  )
})
