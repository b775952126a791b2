import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'

const configFile = path.join(rootDir, '.dependency-cruiser.cjs')
const config: { forbidden: { name: string }[] } = createRequire(import.meta.url)(configFile)

// From the lowest.
const rooms = ['order', 'account', 'sizing', 'resolve', 'group', 'execution', 'preview', 'sharing']
const domain = 'services/executor/src/domain'

/** For each room and each above it: the file in the one, and what of the other it imports. */
const arrowsBack = rooms.flatMap((room, level) =>
  rooms
    .slice(level + 1)
    .map((above) => [room, above, `${domain}/${room}/to-${above}.ts`, `../${above}/own.ts`] as const),
)

// For each rule a file that breaks it and no other, with what it imports.
const planted: Record<string, [file: string, imported: string]> = {
  'no-cycles': ['kit/here.ts', './there.ts'],
  'no-orphans': ['kit/forgotten.ts', './log.ts'],
  'declared-only': ['kit/undeclared.ts', 'undeclared'],
  'declared-only-in-tests': ['kit/undeclared.test.ts', 'undeclared'],
  'proto-is-pure': ['proto/impure.ts', 'node:fs'],
  'language-is-pure': ['proto/language/impure.ts', '../event.ts'],
  'kit-below-services': ['kit/above.ts', '../services/executor/src/lane.ts'],
  'kit-knows-no-domain': ['kit/knowing.ts', '../proto/event.ts'],
  'kit-below-testkit': ['kit/served.test.ts', '../testkit/nats.ts'],
  'kit-below-scripts': ['kit/started.ts', '../scripts/start.ts'],
  'testkit-below-scripts': ['testkit/started.ts', '../scripts/start.ts'],
  'services-apart': ['services/intake/src/near.ts', '../../executor/src/lane.ts'],
  'gateway-apart': ['gateway/src/near.ts', '../../services/executor/src/lane.ts'],
  'web-on-contracts-only': ['web/src/app/server.ts', '../../../kit/log.ts'],
  'testkit-in-tests-only': ['services/intake/src/tested.ts', '../../../testkit/nats.ts'],
  'domain-is-pure': ['services/intake/src/domain/impure.ts', 'node:crypto'],
  'domain-in-rooms': ['services/executor/src/domain/resolve/beyond.ts', '../flat.ts'],
  'mechanism-knows-no-venue': ['services/executor/src/venue/http/partial.ts', '../binance/client.ts'],
  'sql-in-store': ['services/intake/src/routes/rows.ts', 'kysely'],
  'ccxt-in-venue': ['services/executor/src/shortcut.ts', 'ccxt'],
  'nats-in-kit': ['services/intake/src/bus.ts', 'nats'],
  'store-knows-no-transport': ['services/intake/src/store/asking.ts', 'fastify'],
  'features-apart': ['web/src/features/login/peeking.ts', '../terminal/page.ts'],
  'ui-is-lowest': ['web/src/ui/high.ts', '../features/terminal/page.ts'],
  'features-below-app': ['web/src/features/terminal/high.ts', '../../app/routes.ts'],
  'main-is-last': ['services/intake/src/starting.ts', './main.ts'],
}

const guilty = [...Object.values(planted).map(([file]) => file), ...arrowsBack.map(([, , file]) => file)]

const innocent: Record<string, string[]> = {
  'kit/there.ts': ['./here.ts'],
  'kit/log.ts': [],
  'proto/event.ts': [],
  'scripts/start.ts': [],
  'services/executor/src/lane.ts': [],
  'services/executor/src/domain/flat.ts': [],
  // A room may import itself, and all that are below it.
  ...Object.fromEntries(
    rooms.map((room, level) => [
      `${domain}/${room}/own.ts`,
      ['./beside.ts', ...rooms.slice(0, level).map((below) => `../${below}/own.ts`)],
    ]),
  ),
  ...Object.fromEntries(rooms.map((room) => [`${domain}/${room}/beside.ts`, []])),
  'services/executor/src/venue/binance/client.ts': [],
  'services/intake/src/main.ts': [],
  'testkit/nats.ts': [],
  'web/src/features/terminal/page.ts': [],
  'web/src/app/routes.ts': [],
}

function ruleOf(room: string): string {
  return `${room}-knows-no-room-above`
}

interface Violation {
  from: string
  rule: { name: string }
}

let violations: Violation[]
let tree: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  tree = await temporaryFolder()
  await plantAll(tree.folder)
  const depcruise = path.join(rootDir, 'node_modules/.bin/depcruise')
  const folders = ['kit', 'proto', 'services', 'gateway', 'web', 'testkit', 'scripts']
  const args = ['--config', configFile, '--output-type', 'json', ...folders]
  violations = JSON.parse(await runCommand(depcruise, args, { cwd: tree.folder })).summary.violations
})

afterAll(() => tree.remove())

async function plantAll(root: string): Promise<void> {
  const packages = ['kysely', 'ccxt', 'nats', 'fastify']
  await writeJson(path.join(root, 'package.json'), {
    dependencies: Object.fromEntries(packages.map((name) => [name, '1.0.0'])),
  })
  for (const name of [...packages, 'undeclared']) {
    await writeJson(path.join(root, 'node_modules', name, 'package.json'), {
      name,
      version: '1.0.0',
      main: 'index.js',
    })
    await write(path.join(root, 'node_modules', name, 'index.js'), '')
  }
  await symlink(path.join(rootDir, 'node_modules/typescript'), path.join(root, 'node_modules/typescript'))
  for (const [file, imported] of Object.values(planted)) await plant(root, file, [imported])
  for (const [, , file, imported] of arrowsBack) await plant(root, file, [imported])
  for (const [file, imported] of Object.entries(innocent)) await plant(root, file, imported)
  const known = [...Object.keys(innocent), ...guilty]
  const wanted = known.filter((file) => !/\/main\.ts|forgotten|domain\/flat/.test(file))
  await plant(
    root,
    'scripts/all.ts',
    wanted.map((file) => `../${file}`),
  )
}

async function plant(root: string, file: string, imported: string[]): Promise<void> {
  await write(path.join(root, file), imported.map((one) => `import '${one}'\n`).join(''))
}

async function writeJson(file: string, content: object): Promise<void> {
  await write(file, JSON.stringify(content))
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

test.each(Object.entries(planted))(
  '%s fires on its planted violation, and no other rule does',
  (rule, [file]) => {
    const fired = violations.filter(({ from }) => from === file).map(({ rule: { name } }) => name)
    expect(fired).toEqual([rule])
  },
)

test.each(arrowsBack)('the room %s may not import the room %s', (room, _above, file) => {
  const fired = violations.filter(({ from }) => from === file).map(({ rule: { name } }) => name)
  expect(fired).toEqual([ruleOf(room)])
})

test('no rule fires on innocent imports', () => {
  const inACycle = 'kit/there.ts'
  expect(violations.filter(({ from }) => from !== inACycle && !guilty.includes(from))).toEqual([])
})

test('every rule has its planted violation', () => {
  const fired = [...Object.keys(planted), ...rooms.slice(0, -1).map(ruleOf)]
  expect(config.forbidden.map(({ name }) => name).sort()).toEqual(fired.sort())
})

test('the dead-code check names an export that nobody uses', async () => {
  const { folder, remove } = await temporaryFolder()
  await writeJson(path.join(folder, 'package.json'), { name: 'tree', workspaces: ['kit', 'services/*'] })
  await writeJson(path.join(folder, 'kit/package.json'), { name: '@tree/kit', exports: { './*': './*.ts' } })
  await writeJson(path.join(folder, 'services/intake/package.json'), { name: '@tree/intake' })
  await write(path.join(folder, 'kit/log.ts'), 'export const used = 1\nexport const forgotten = 2\n')
  await write(
    path.join(folder, 'services/intake/src/main.ts'),
    "import { used } from '../../../kit/log.ts'\nprocess.exit(used)\n",
  )
  await write(path.join(folder, 'knip.json'), await readFile(path.join(rootDir, 'knip.json'), 'utf8'))
  const knip = path.join(rootDir, 'node_modules/.bin/knip')
  const complaint = await runCommand(knip, ['--no-progress', '--reporter', 'json'], { cwd: folder }).catch(
    String,
  )
  await remove()
  expect(complaint).toContain('"name":"forgotten"')
  expect(complaint).not.toContain('"name":"used"')
})
