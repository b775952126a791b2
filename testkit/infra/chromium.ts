import { phase } from '../progress.mjs'
import { findProgram } from './find-program.ts'
import { runCommand } from './run-command.ts'

// The one without a screen opens a page at half the processor time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

const waysOut = `No Chromium was found. Any of these helps:
  - set CHROMIUM_PATH to the program of a Chromium or Chrome,
  - put chromium or google-chrome on PATH (Debian: apt-get install chromium-headless-shell),
  - run as root on Debian, so that it can be installed.`

/** The path of a Chromium for tests of the web app; installed from the distribution if the machine has none. */
export async function chromiumProgram(): Promise<string> {
  const found = process.env['CHROMIUM_PATH'] ?? firstFound()
  if (found) return found
  if (process.getuid?.() !== 0 || findProgram('apt-get').length === 0) throw new Error(waysOut)
  await phase('installed Chromium', install).catch((cause) => {
    throw new Error(waysOut, { cause })
  })
  const installed = firstFound()
  if (!installed) throw new Error(waysOut)
  return installed
}

function firstFound(): string | undefined {
  return names.flatMap(findProgram)[0]
}

async function install(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const packages = ['chromium-headless-shell', 'fonts-liberation']
  await runCommand('apt-get', ['--quiet', 'update'], { env })
  await runCommand('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', ...packages], {
    env,
  })
}
