import { copyFile, cp } from 'node:fs/promises'
import path from 'node:path'
import { natsProgram } from '@tripline/testkit/infra/nats'
import { fetchNpmPackage } from '@tripline/testkit/infra/npm-package'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { buildFlags } from './build-image.ts'
import { type DebianRoot, ensureDebianRoot } from './debian-root.ts'
import type { Engine } from './engine.ts'
import type { ImageKind } from './wanted-images.ts'

interface StandIn {
  root: DebianRoot
  /** Puts what the Dockerfile copies into its folder. */
  fill(folder: string): Promise<void>
}

const npmVersion = '11.19.1'
const recipes = path.join(import.meta.dirname, 'stand-ins')

const bare: DebianRoot = {
  image: 'localhost/debian-bookworm',
  suite: 'bookworm',
  packages: ['ca-certificates'],
}
const servers: DebianRoot = {
  image: 'localhost/debian-servers',
  suite: 'trixie',
  packages: ['postgresql', 'valkey-server', 'wget'],
}

const standIns: Record<ImageKind, StandIn> = {
  node: { root: bare, fill: addNode },
  postgres: {
    root: servers,
    fill: (folder) => copyFile(path.join(recipes, 'postgres.sh'), path.join(folder, 'postgres.sh')),
  },
  nats: {
    root: servers,
    fill: async (folder) => copyFile(await natsProgram(), path.join(folder, 'nats-server')),
  },
  valkey: { root: servers, fill: async () => {} },
}

/** Makes an image of Debian packages that does what ours and compose.yaml ask of the official one. */
export async function makeStandIn(engine: Engine, kind: ImageKind, name: string): Promise<void> {
  const { root, fill } = standIns[kind]
  await ensureDebianRoot(engine, root)
  const { folder, remove } = await temporaryFolder()
  try {
    await fill(folder)
    const recipe = path.join(recipes, `${kind}.Dockerfile`)
    await engine.podman('build', ...buildFlags, '--file', recipe, '--tag', name, folder)
  } finally {
    await remove()
  }
}

async function addNode(folder: string): Promise<void> {
  await copyFile(process.execPath, path.join(folder, 'node'))
  await cp(await fetchNpmPackage('npm', npmVersion), path.join(folder, 'npm'), { recursive: true })
}
