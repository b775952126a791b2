import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'

// Each copy of the repository has its own.
const name = `tripline-${createHash('sha256').update(rootDir).digest('hex').slice(0, 8)}`

/** The folder that keeps images between runs: apart from the repository, whose files many tools look through. */
export const engineDir = path.join('/var/cache', name)

/** The folder of its sockets; their paths must be short. */
export const runDir = path.join('/run', name)

// runc takes every version of cgroups. More open files than these may not be asked for in a container.
const containersConf = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]

[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
compat_api_enforce_docker_hub = false
tmp_dir = "${runDir}/libpod"

[network]
network_backend = "netavark"
network_config_dir = "${engineDir}/networks"
`

const storageConf = `[storage]
driver = "overlay"
graphroot = "${engineDir}/storage"
runroot = "${runDir}/storage"
`

/** The address at which the engine listens. */
export const engineAddress = `unix://${runDir}/podman.sock`

/** The folder of overlay mounts while the engine is used. */
export const overlayDir = path.join(engineDir, 'storage/overlay')

/** Writes the settings of an engine apart from the machine's own; returns the environment in which podman has them. */
export async function writeEngineSettings(): Promise<NodeJS.ProcessEnv> {
  for (const folder of [engineDir, runDir]) await mkdir(folder, { recursive: true })
  const files = {
    containers: path.join(engineDir, 'containers.conf'),
    storage: path.join(engineDir, 'storage.conf'),
  }
  await writeFile(files.containers, containersConf)
  await writeFile(files.storage, storageConf)
  return {
    ...process.env,
    CONTAINERS_CONF: files.containers,
    CONTAINERS_STORAGE_CONF: files.storage,
    // Health is asked for by us, since the timers of systemd are not everywhere.
    DISABLE_HC_SYSTEMD: 'true',
    DOCKER_HOST: engineAddress,
  }
}
