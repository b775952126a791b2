import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startChildServer, waitUntilReady } from './child-server.ts'
import { unpackDebianPackage } from './debian-package.ts'
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'

const waysOut = `No Prometheus was found. Any of these helps:
  - put prometheus and promtool on PATH (https://github.com/prometheus/prometheus/releases),
  - on Debian or Ubuntu: make apt-get work, so that they can be fetched.`

/** The path of a program of Prometheus; fetched if the machine has none. */
export async function prometheusProgram(name: 'prometheus' | 'promtool'): Promise<string> {
  const [found] = findProgram(name)
  if (found !== undefined) return found
  const wanted = { name: 'prometheus', withDependencies: false }
  const folder = await unpackDebianPackage(wanted).catch((cause) => {
    throw new Error(waysOut, { cause })
  })
  const program = path.join(folder ?? '', 'usr/bin', name)
  if (!existsSync(program)) throw new Error(waysOut)
  return program
}

/** A Prometheus of our own on a free port, with this configuration; returns where it listens and how to stop it. */
export async function startOwnPrometheus(
  dataDir: string,
  configuration: object,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const command = await prometheusProgram('prometheus')
  const port = await freePort()
  const configFile = path.join(dataDir, 'prometheus.json')
  // JSON is YAML too.
  await writeFile(configFile, JSON.stringify(configuration))
  const args = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${path.join(dataDir, 'prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const server = await startChildServer({ name: 'prometheus', dataDir, command, args })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(server, async () => (await fetch(`${url}/-/ready`)).ok)
  return { url, stop: server.stop }
}
