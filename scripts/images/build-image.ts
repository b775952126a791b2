import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import type { Engine } from './engine.ts'

/** Flags to build from images that are there, without a container's limits, with health commands. */
export const buildFlags = [
  '--pull=never',
  '--isolation=chroot',
  '--network=host',
  '--format=docker',
  '--layers',
] as const

const certificates = '/etc/ssl/certs/ca-certificates.crt'

/** Builds the product's image as anybody would; returns how many bytes it has. */
export async function buildImage(engine: Engine): Promise<number> {
  const { folder, remove } = await temporaryFolder()
  try {
    const volumes = await machineSettings(folder)
    const dockerfile = path.join(rootDir, 'deploy/Dockerfile')
    await engine.podman(
      'build',
      ...buildFlags,
      ...volumes,
      '--file',
      dockerfile,
      '--tag',
      'tripline',
      rootDir,
    )
  } finally {
    await remove()
  }
  return imageBytes(engine, 'tripline')
}

/** Returns the bytes of all layers of an image. */
export async function imageBytes(engine: Engine, name: string): Promise<number> {
  return Number(await engine.podman('image', 'inspect', '--format', '{{.Size}}', name))
}

/** Lets npm inside reach what it reaches outside: the same registry, trusted the same way; nothing stays in the image. */
async function machineSettings(folder: string): Promise<string[]> {
  const own = path.join(homedir(), '.npmrc')
  const file = path.join(folder, 'npmrc')
  const lines = [existsSync(own) ? await readFile(own, 'utf8') : '']
  const hasCertificates = existsSync(certificates)
  if (hasCertificates) lines.push(`cafile=${certificates}`)
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  const mounts = [
    `${file}:/root/.npmrc:ro`,
    ...(hasCertificates ? [`${certificates}:${certificates}:ro`] : []),
  ]
  return mounts.flatMap((mount) => ['--volume', mount])
}
