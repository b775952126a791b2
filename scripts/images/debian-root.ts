import path from 'node:path'
import { writeSuiteSources } from '@tripline/testkit/infra/debian-package'
import { canRun, runCommand } from '@tripline/testkit/infra/run-command'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import type { Engine } from './engine.ts'

/** A small Debian with packages, as an image to build on. */
export interface DebianRoot {
  image: string
  suite: string
  packages: readonly string[]
}

// The package would make a cluster of its own otherwise.
const noCluster = `mkdir -p "$1/etc/postgresql-common" &&
  echo 'create_main_cluster = false' > "$1/etc/postgresql-common/createcluster.conf"`

/** Makes the image unless it is there. */
export async function ensureDebianRoot(engine: Engine, root: DebianRoot): Promise<void> {
  if (await canRun('podman', ['image', 'exists', root.image], { env: engine.env })) return
  const { folder, remove } = await temporaryFolder()
  try {
    const archive = path.join(folder, 'root.tar')
    const sources = await writeSuiteSources(folder, root.suite)
    const options = ['--variant=minbase', `--include=${root.packages.join(',')}`, `--setup-hook=${noCluster}`]
    await runCommand('mmdebstrap', [...options, root.suite, archive, sources], { signal: engine.signal })
    await engine.podman('import', archive, root.image)
  } finally {
    await remove()
  }
}
