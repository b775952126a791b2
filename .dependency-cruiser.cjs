// The import rules. Each has a planted violation in scripts/import-rules.test.ts that makes it fire.
const TEST = ['\\.test\\.tsx?$', '/test/', '^e2e/', '^bench/', '^testkit/', '^scripts/']
const STARTED_BY_NAME = [
  '/src/(landing/|side-thread/)?main\\.tsx?$',
  '/migrations/',
  '\\.config\\.[cm]?[jt]s$',
  '\\.cjs$',
  '\\.d\\.[cm]?ts$',
]

// A workspace package that is not declared is not linked, and so does not resolve to one of these.
const WORKSPACE = '^(proto|kit|testkit|scripts)/'
const MADE_IN_THE_BUILD = '^virtual:'
const UNDECLARED = ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined']

// The rooms of the executor's decisions, from the lowest.
const ROOMS = ['order', 'account', 'sizing', 'resolve', 'group', 'execution', 'preview', 'sharing']
const EXECUTOR_DOMAIN = '^services/executor/src/domain/'

const npm = (...names) => `node_modules/(${names.join('|').replace(/\./g, '\\.')})/`
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'What cannot be read in one direction cannot be changed in one place.',
      {},
      { circular: true },
    ),
    {
      name: 'no-orphans',
      comment: 'Nobody imports this.',
      severity: 'error',
      from: {},
      module: { pathNot: [...TEST, ...STARTED_BY_NAME], numberOfDependentsLessThan: 1 },
    },
    forbid(
      'declared-only',
      'A package uses what its own package.json names.',
      { pathNot: TEST },
      { dependencyTypes: UNDECLARED, pathNot: [WORKSPACE, MADE_IN_THE_BUILD] },
    ),
    forbid(
      'declared-only-in-tests',
      'Tests use besides only the runner, which the workspace brings.',
      { path: TEST },
      { dependencyTypes: UNDECLARED, pathNot: [WORKSPACE, npm('@jest/globals', 'fast-check')] },
    ),
    forbid(
      'proto-is-pure',
      'Contracts run in the browser too.',
      { path: '^proto/', pathNot: TEST },
      { pathNot: ['^proto/', npm('zod', 'big.js')] },
    ),
    forbid(
      'language-is-pure',
      'The language stands on decimals only.',
      { path: '^proto/language/', pathNot: TEST },
      { pathNot: ['^proto/(language/|decimal\\.ts|error-code\\.ts)', npm('big.js')] },
    ),
    forbid(
      'kit-below-services',
      'The kit serves them, it knows none.',
      { path: '^kit/' },
      { path: '^(services|gateway|web)/' },
    ),
    forbid(
      'kit-knows-no-domain',
      'The kit knows how the bus is named and how refusals are, nothing of trading.',
      { path: '^kit/', pathNot: TEST },
      { path: '^proto/', pathNot: '^proto/(subject|error-code|permission|request)\\.ts$' },
    ),
    forbid(
      'kit-below-testkit',
      'The testkit stands on the kit; tests of the kit that need servers are in it.',
      { path: '^kit/' },
      { path: '^testkit/' },
    ),
    forbid(
      'kit-below-scripts',
      'Commands stand on the kit.',
      { path: '^kit/' },
      { path: '^(scripts|e2e|bench)/' },
    ),
    forbid(
      'testkit-below-scripts',
      'Commands start what the testkit has.',
      { path: '^testkit/' },
      { path: '^(scripts|e2e|bench)/' },
    ),
    forbid(
      'services-apart',
      'Services meet on the bus, never in an import.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    forbid(
      'gateway-apart',
      'The gateway asks over the bus.',
      { path: '^gateway/' },
      { path: '^(services|web)/' },
    ),
    forbid(
      'web-on-contracts-only',
      'The browser knows contracts, not servers.',
      { path: '^web/' },
      { path: '^(services|gateway|kit|testkit|scripts)/' },
    ),
    forbid(
      'testkit-in-tests-only',
      'Fixtures are for tests.',
      { pathNot: [...TEST, '^kit/'] },
      { path: '^(testkit|scripts|e2e|bench)/' },
    ),
    forbid(
      'domain-is-pure',
      'Decisions take values and give values.',
      { path: '/src/domain/', pathNot: TEST },
      { pathNot: ['/src/domain/', '^proto/', npm('zod', 'big.js')] },
    ),
    ...ROOMS.slice(0, -1).map((room, level) =>
      forbid(
        `${room}-knows-no-room-above`,
        'A room stands on those below it.',
        { path: `${EXECUTOR_DOMAIN}${room}/`, pathNot: TEST },
        { path: `${EXECUTOR_DOMAIN}(${ROOMS.slice(level + 1).join('|')})/` },
      ),
    ),
    forbid(
      'domain-in-rooms',
      'A decision of the executor is in a room.',
      {},
      { path: `${EXECUTOR_DOMAIN}[^/]+$` },
    ),
    forbid(
      'mechanism-knows-no-venue',
      'A venue is a dialect of what all venues share.',
      {
        path: '^services/executor/src/venue/(account|http|limits|prices|read|settings|socket|stream)/',
        pathNot: TEST,
      },
      { path: '^services/executor/src/venue/(binance|bybit)/' },
    ),
    forbid(
      'sql-in-store',
      'Rows are read and written in the store.',
      { pathNot: [...TEST, '/src/store/', '/migrations/', '/src/app\\.ts$', '^kit/postgres\\.ts$'] },
      { path: npm('kysely', 'pg') },
    ),
    forbid(
      'ccxt-in-venue',
      'One folder speaks to venues.',
      { pathNot: [...TEST, '^services/executor/src/venue/'] },
      { path: npm('ccxt') },
    ),
    forbid(
      'nats-in-kit',
      'One folder knows the bus client.',
      { pathNot: '^(kit|testkit/test/kit)/' },
      { path: npm('nats') },
    ),
    forbid(
      'store-knows-no-transport',
      'A store is asked, it asks nobody.',
      { path: '/src/store/', pathNot: TEST },
      { path: ['/src/(routes|consumers|venue)/', npm('fastify', 'nats', 'ccxt')] },
    ),
    forbid(
      'features-apart',
      'The app puts features together.',
      { path: '^web/src/features/([^/]+)/' },
      { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    ),
    forbid(
      'ui-is-lowest',
      'Everything may stand on these.',
      { path: '^web/src/(ui|shared)/' },
      { path: '^web/src/(features|app)/' },
    ),
    forbid(
      'features-below-app',
      'A feature works in any app.',
      { path: '^web/src/features/' },
      { path: '^web/src/app/' },
    ),
    forbid(
      'main-is-last',
      'A process is started, not imported.',
      {},
      { path: '/src/(landing/|side-thread/)?main\\.tsx?$' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.data|\\.tools)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.d.ts', '.d.mts'],
    },
  },
}
