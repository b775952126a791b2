/** The address that the test run's set-up, or its caller, gave for a server. */
export function givenUrl(setting: 'DATABASE_URL' | 'REDIS_URL'): string {
  const url = process.env[setting]
  if (url) return url
  throw new Error(`${setting} is not set: only the projects services, e2e and faults start servers`)
}
