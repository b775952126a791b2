import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { createLog } from './log.ts'

function linesOf(write: (log: ReturnType<typeof createLog>) => void, level = 'info'): string[] {
  const lines: string[] = []
  write(createLog('executor', level, { write: (line) => void lines.push(line) }))
  return lines
}

describe('a log', () => {
  test('writes one line of JSON for each event, under its name', () => {
    const [line = ''] = linesOf((log) => log.info({ alertId: 'a' }, 'order\nplaced'))
    expect(line.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(line)).toMatchObject({ name: 'executor', alertId: 'a', msg: 'order\nplaced' })
  })

  test('keeps secrets out', () => {
    const secrets = {
      password: 'shown',
      token: 'shown',
      accessToken: 'shown',
      refreshToken: 'shown',
      apiKey: 'shown',
      secret: 'shown',
      headers: { authorization: 'shown' },
      req: { headers: { authorization: 'shown' } },
    }
    const [line = ''] = linesOf((log) => log.info(secrets, 'text'))
    expect(line).not.toContain('shown')
  })

  test('writes the names, messages and causes of an error, and no other property of it', () => {
    const cause = Object.assign(new Error('connection lost'), {
      request: { url: 'https://venue?signature=x' },
    })
    const [line = ''] = linesOf((log) => log.warn({ err: new Error('no answer', { cause }) }, 'text'))
    expect(JSON.parse(line).err).toMatchObject({ message: 'no answer', causes: ['Error: connection lost'] })
    expect(line).not.toContain('signature')
  })

  test('ends with causes that go round in a ring', () => {
    const error = new Error('first')
    error.cause = new Error('second', { cause: error })
    const [line = ''] = linesOf((log) => log.warn({ err: error }, 'text'))
    expect(JSON.parse(line).err.causes).toHaveLength(5)
  })

  test('writes a thrown value that is no error', () => {
    const [line = ''] = linesOf((log) => log.warn({ err: 'a text' }, 'text'))
    expect(JSON.parse(line).err).toEqual({ message: 'a text' })
  })

  test('leaves out lines below its level', () => {
    expect(linesOf((log) => log.info('text'), 'warn')).toEqual([])
  })

  test.each(['process.exit(3)', 'throw new Error()'])('leaves no line behind at %s', (end) => {
    const module = JSON.stringify(path.join(import.meta.dirname, 'log.ts'))
    const program = `
      const { createLog } = await import(${module})
      for (const name of ['one', 'other']) createLog(name, 'info').info('last words')
      ${end}`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program])
    const lines = String(stdout).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(['one', 'other'])
  })

  test('goes on where its output takes nothing', () => {
    const module = JSON.stringify(path.join(import.meta.dirname, 'log.ts'))
    const program = `
      const { createRequire } = await import('node:module')
      const { symbols } = createRequire(${module})('pino')
      const { createLog } = await import(${module})
      const log = createLog('probe', 'info')
      const output = log[symbols.streamSym]
      setInterval(() => undefined, 1000)
      output.once('error', () => {
        log.info('second')
        output.once('error', () => process.exit(5))
      })
      log.info('first')`
    const full = openSync('/dev/full', 'w')
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', full, 'pipe'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    closeSync(full)
    expect([status, String(stderr)]).toEqual([5, ''])
  })
})
