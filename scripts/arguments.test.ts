import { spawn } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { rootDir } from '@tripline/testkit/paths'
import { z } from 'zod'
import { ArgumentError, parseArguments } from './arguments.ts'

const taken = {
  help: 'npm run one',
  flags: ['quick'] as const,
  values: z.object({ seconds: z.coerce.number().positive().default(30) }),
  words: ['tracing', 'takeover'],
}

describe('arguments', () => {
  test('are read, in any order', () => {
    const given = parseArguments(['takeover', '--seconds', '5', '--quick', 'tracing'], taken)
    expect(given).toMatchObject({ values: { seconds: 5 }, words: ['takeover', 'tracing'] })
    expect(given?.has('quick')).toBe(true)
  })

  test('are as usual where there are none', () => {
    const given = parseArguments([], taken)
    expect(given).toMatchObject({ values: { seconds: 30 }, words: [] })
    expect(given?.has('quick')).toBe(false)
  })

  test.each(['--help', '-h'])('ask for help with %s', (word) => {
    expect(parseArguments(['tracing', word], taken)).toBeUndefined()
  })

  test.each([
    ['a word that is none', ['nosuchname'], 'Unknown: nosuchname; there is tracing, takeover.'],
    ['an option that is none', ['--fast'], 'Unknown: --fast; there is --help, --quick, --seconds.'],
    ['a short option that is none', ['-q'], 'Unknown: -q;'],
    ['a value that is none', ['--seconds', 'long'], '--seconds: '],
    ['an option without its value', ['--seconds'], '--seconds needs a value'],
    ['an option in place of a value', ['--seconds', '--quick'], '--seconds needs a value'],
    ['a flag with a value', ['--quick=yes'], '--quick stands alone'],
  ])('with %s are refused in one line', (_name, args, text) => {
    const reading = () => parseArguments(args, taken)
    expect(reading).toThrow(ArgumentError)
    expect(reading).toThrow(text)
    expect(reading).not.toThrow('\n')
  })

  test('are refused as words where none are taken, and taken as any', () => {
    expect(() => parseArguments(['tracing'], { help: '' })).toThrow('it takes options only')
    expect(parseArguments(['anything'], { help: '', words: 'any' })).toMatchObject({ words: ['anything'] })
  })
})

/** Runs a command with arguments that end it before anything long begins; returns its code and output. */
async function ended(script: string, args: readonly string[]) {
  const child = spawn(process.execPath, [path.join(rootDir, script), ...args], {
    // A command that went on would find no servers and no folder here.
    env: { PATH: '', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  let [said, complained] = ['', '']
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (complained += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, said, complained }
}

test.each([
  ['npm start', 'scripts/start.ts'],
  ['npm test', 'scripts/test.ts'],
  ['npm run check', 'scripts/check.ts'],
  ['npm run demo', 'scripts/demo.ts'],
  ['npm run setup', 'scripts/setup.ts'],
  ['npm run soak', 'bench/soak/run.ts'],
  ['npm run restore-drill', 'bench/restore-drill/run.ts'],
  ['npm run dashboards', 'bench/dashboards/run.ts'],
  ['npm run screenshots', 'e2e/screenshots/take.ts'],
  ['npm run web-timings', 'e2e/timings/run.ts'],
  ['npm run bundle', 'scripts/bundle.ts'],
  ['npm run images', 'scripts/images/run.ts'],
  ['npm run record-version', 'scripts/record-version.ts'],
  ['npm run venue-probe', 'scripts/venue-probe.ts'],
])('%s answers --help before it begins anything', async (command, script) => {
  const help = await ended(script, ['--help'])
  expect(help).toMatchObject({ code: 0, said: expect.stringMatching(`^${command}`), complained: '' })
})

describe('npm run bench', () => {
  test('names every benchmark', async () => {
    const { code, said } = await ended('bench/run.ts', ['--help'])
    expect(code).toBe(0)
    expect(said).toMatch(/^npm run bench/)
    expect(said).toMatch(/^ {2}takeover +how long/m)
  })

  test.each(['nosuchname', '--nosuchflag'])('refuses %s before it begins anything', async (word) => {
    const refused = await ended('bench/run.ts', ['--quick', word])
    expect(refused).toMatchObject({ code: 2, said: '' })
    expect(refused.complained).toMatch(new RegExp(`^Unknown: ${word}; .*\n$`))
  })

  test('has a comparison, with a help of its own', async () => {
    const help = await ended('bench/run.ts', ['compare', '--help'])
    expect(help).toMatchObject({ code: 0, said: expect.stringMatching(/^npm run bench -- compare COMMIT/) })
  })

  test.each([
    ['no commit', ['compare'], /^Name the commit/],
    ['no turn', ['compare', 'HEAD', '--turns', '0'], /^--turns: /],
  ])('compares nothing with %s', async (_, args, complaint) => {
    const refused = await ended('bench/run.ts', args)
    expect(refused).toMatchObject({ code: 2, said: '', complained: expect.stringMatching(complaint) })
  })
})
