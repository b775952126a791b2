const swc = {
  sourceMaps: 'inline',
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
  module: { type: 'es6' },
}

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch: testMatch.map((glob) => (glob.startsWith('!') ? glob : `<rootDir>/${glob}`)),
  testEnvironment: '<rootDir>/testkit/jest-environment.mjs',
  runtime: '<rootDir>/testkit/jest-runtime.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['@swc/jest', swc] },
  setupFiles: ['<rootDir>/testkit/property-seed.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.data', '<rootDir>/.tools', '/dist/'],
  ...more,
})

const withServers = {
  globalSetup: '<rootDir>/testkit/jest-setup.mjs',
  globalTeardown: '<rootDir>/testkit/jest-teardown.mjs',
}

export default {
  projects: [
    project('unit', [
      '{proto,kit,testkit,scripts,bench}/**/*.test.ts',
      '{services/*,gateway,web}/src/**/*.test.{ts,tsx}',
      '!**/{testkit,scripts}/test/**',
    ]),
    project('services', ['{services/*,gateway,testkit,scripts}/test/**/*.test.ts'], withServers),
    project('e2e', ['e2e/*.test.ts', 'e2e/specification/*.test.{ts,tsx}'], {
      ...withServers,
      globalSetup: '<rootDir>/testkit/jest-setup-browser.mjs',
    }),
    project('faults', ['e2e/faults/*.test.ts'], withServers),
  ],
  // Longer than any one wait of a test: a machine may stand still, and which wait failed is worth knowing.
  testTimeout: 120_000,
  // Modules of files that are done stay in memory; a worker that has grown large is replaced by a fresh one.
  workerIdleMemoryLimit: '800MB',
  testSequencer: '<rootDir>/testkit/longest-first.ts',
  watchman: false,
}
