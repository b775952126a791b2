import path from 'node:path'
import { distribution, unpackDebianPackage } from '@tripline/testkit/infra/debian-package'
import { findProgram } from '@tripline/testkit/infra/find-program'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { phase } from '@tripline/testkit/progress'

// netavark and aardvark-dns are podman's networks and names in them, iptables its way to published ports.
const packages = ['podman', 'runc', 'netavark', 'aardvark-dns', 'iptables', 'mmdebstrap']
const programs = ['podman', 'runc', 'iptables', 'mmdebstrap']

// Older ones do not know all that compose.yaml says.
const composeSuite = 'trixie'

const demand = `Images are built and run by podman, as root, on Debian, where apt can install what is missing.
Elsewhere, with an engine of your own: docker build -f deploy/Dockerfile -t tripline .`

/** Installs what is missing to build and run containers; refuses where that cannot be done. */
export async function ensurePrograms(): Promise<void> {
  if (process.getuid?.() !== 0 || (await distribution()) !== 'debian') throw new Error(demand)
  if (programs.every((name) => findProgram(name).length > 0)) return
  await phase(`installed ${packages.join(', ')}`, install)
}

/** The path of Docker Compose, which speaks with podman too. */
export async function composeProgram(): Promise<string> {
  const wanted = { name: 'docker-compose', suite: composeSuite, withDependencies: false }
  return path.join((await unpackDebianPackage(wanted)) ?? '', 'usr/libexec/docker/cli-plugins/docker-compose')
}

async function install(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runCommand('apt-get', ['--quiet', 'update'], { env })
  const args = ['install', '--yes', '--quiet', '--no-install-recommends', ...packages]
  await runCommand('apt-get', args, { env })
}
