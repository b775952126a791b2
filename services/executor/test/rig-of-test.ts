import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import { buildRig, type Rig, type RigSettings } from './rig.ts'

/** A rig for each test of a file or group, built before it and stopped behind it; nothing is read from it outside. */
export function rigOfTest(settings?: RigSettings): Rig {
  const rig: Partial<Rig> = {}
  beforeEach(async () => void Object.assign(rig, await buildRig(settings)))
  afterEach(async () => await rig.stop?.())
  return rig as Rig
}

/** A rig with an executor, for all tests of a file or group; nothing is read from it outside. */
export function runningRig(settings?: RigSettings): Rig {
  const rig: Partial<Rig> = {}
  beforeAll(async () => {
    await Object.assign(rig, await buildRig(settings)).startExecutor()
  })
  afterAll(async () => await rig.stop?.())
  return rig as Rig
}
