import { canRun } from '@tripline/testkit/infra/run-command'
import { phase } from '@tripline/testkit/progress'
import type { Engine } from './engine.ts'
import { makeStandIn } from './stand-in.ts'
import { type ImageKind, wantedImages } from './wanted-images.ts'

/** The source of an image that others make. */
export type Origin = 'present' | 'pulled' | 'made of Debian packages'

const pullSeconds = '120'

/** Has every image of others under the name it is asked for: from a registry, or a stand-in where none answers. */
export async function bringImages(engine: Engine): Promise<Record<string, Origin>> {
  const origins: Record<string, Origin> = {}
  let isRegistryThere = true
  for (const [kind, image] of Object.entries(await wantedImages()) as [ImageKind, string][]) {
    const name = fullName(image)
    if (await isPresent(engine, name)) {
      origins[image] = 'present'
      continue
    }
    isRegistryThere &&= await phase(`asked a registry for ${image}`, () => pull(engine, name))
    if (!isRegistryThere) await phase(`made a stand-in for ${image}`, () => makeStandIn(engine, kind, name))
    origins[image] = isRegistryThere ? 'pulled' : 'made of Debian packages'
  }
  return origins
}

/** The name as engines complete it. */
function fullName(image: string): string {
  return image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`
}

async function isPresent({ env }: Engine, name: string): Promise<boolean> {
  return canRun('podman', ['image', 'exists', name], { env })
}

async function pull({ env, signal }: Engine, name: string): Promise<boolean> {
  return canRun('timeout', [pullSeconds, 'podman', 'pull', '--quiet', name], { env, signal })
}
