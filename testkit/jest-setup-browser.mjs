import { chromiumProgram } from './infra/chromium.ts'
import startServers from './jest-setup.mjs'

// Installed once, before two files would do it at the same time; without one the tests that need it say so.
export default async function startServersAndFindBrowser(...configs) {
  await chromiumProgram().catch(() => undefined)
  await startServers(...configs)
}
