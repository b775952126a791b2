import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { type Workload, workloadsOf } from '@tripline/testkit/k8s/document'
import { filesOf } from '@tripline/testkit/k8s/pod-environment'
import { renderOverlay } from '@tripline/testkit/k8s/render'
import { rootDir } from '@tripline/testkit/paths'

/** A version of the product, as it is deployed. */
export interface Release {
  /** The folder with what its image holds. */
  image: string
  /** The workloads of the overlay `production`, by name. */
  workloads: ReadonlyMap<string, Workload>
  /** The files that configure the bus, by name. */
  busFiles: Readonly<Record<string, string>>
}

/** Builds the version of this folder. */
export async function presentRelease(folder: string): Promise<Release> {
  return await buildRelease(rootDir, path.join(folder, 'image'))
}

/** Builds the version of a commit, which has to be in this clone. */
export async function formerRelease(folder: string, commit: string): Promise<Release> {
  const [root, image] = [path.join(folder, 'former'), path.join(folder, 'former-image')]
  await mkdir(root)
  const archive = path.join(folder, 'former.tar')
  await runCommand('git', ['-C', rootDir, 'archive', `--output=${archive}`, commit])
  await runCommand('tar', ['-xf', archive, '-C', root])
  await linkPackages(root)
  return await buildRelease(root, image)
}

/** Gives another version the packages of this one, which are the same as long as the lockfile is. */
async function linkPackages(root: string): Promise<void> {
  const [former, present] = await Promise.all(
    [root, rootDir].map(async (folder) => await readFile(path.join(folder, 'pnpm-lock.yaml'), 'utf8')),
  )
  if (former !== present) {
    const pnpm = path.join(rootDir, '.tools/node_modules/pnpm/bin/pnpm.cjs')
    await runCommand(process.execPath, [pnpm, '--dir', root, 'install', '--frozen-lockfile'])
    return
  }
  await symlink(path.join(rootDir, 'node_modules'), path.join(root, 'node_modules'))
  await symlink(path.join(rootDir, '.tools'), path.join(root, '.tools'))
  const groups = ['.', 'services'].map(async (group) =>
    (await readdir(path.join(root, group), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => path.join(group, name, 'node_modules')),
  )
  for (const packages of (await Promise.all(groups)).flat()) {
    // Links within are relative: those to packages of the workspace lead to the other version's.
    const [from, to] = [path.join(rootDir, packages), path.join(root, packages)]
    if (existsSync(from)) await cp(from, to, { recursive: true, verbatimSymlinks: true })
  }
}

async function buildRelease(root: string, image: string): Promise<Release> {
  await runCommand(process.execPath, [path.join(root, 'scripts/bundle.ts'), image])
  const [production, small] = await Promise.all([
    renderOverlay('production', root),
    renderOverlay('small', root),
  ])
  return {
    image,
    workloads: new Map(workloadsOf(production).map((workload) => [workload.name, workload])),
    busFiles: filesOf(small, 'nats-config'),
  }
}
