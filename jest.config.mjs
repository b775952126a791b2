const swc = {
  sourceMaps: 'inline',
  jsc: { target: 'es2024', parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } },
  module: { type: 'es6' },
}

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch: testMatch.map((glob) => `<rootDir>/${glob}`),
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['@swc/jest', swc] },
  modulePathIgnorePatterns: ['<rootDir>/.data', '<rootDir>/.tools', '/dist/'],
  watchman: false,
  ...more,
})

export default {
  projects: [
    project('unit', ['{proto,kit,testkit,scripts}/**/*.test.ts', '{services/*,gateway,web}/src/**/*.test.{ts,tsx}']),
    project('services', ['{services/*,gateway}/test/**/*.test.ts']),
    project('e2e', ['e2e/*.test.ts']),
    project('faults', ['e2e/faults/*.test.ts']),
  ],
  testTimeout: 30_000,
}
