import { beforeAll, describe, expect, test } from '@jest/globals'
import type { KubernetesObject } from '@tripline/testkit/k8s/document'
import { renderOverlay } from '@tripline/testkit/k8s/render'
import { overlayFaults } from './overlay-faults.ts'

/** An object of an overlay, as deep as one cares to look. */
export type Tree = { [key: string]: Tree } & Tree[]
type Plant = (objects: KubernetesObject[]) => KubernetesObject[]
export type Mistake = readonly [name: string, plant: Plant, fault: string]

/** A test for each mistake: planted into the overlay `operators`, it is reported in words that contain the fault's. */
export function describeMistakes(mistakes: readonly Mistake[]): void {
  let rendered: KubernetesObject[] = []

  describe('a planted mistake is found', () => {
    // A machine without kubectl fetches one.
    beforeAll(async () => {
      rendered = await renderOverlay('operators')
    }, 300_000)

    test.each(mistakes)('%s', async (_name, plant, fault) => {
      // As it would be read from a file, where what is undefined is not there.
      const planted = JSON.stringify(plant(structuredClone(rendered)))
      const faults = await overlayFaults('operators', JSON.parse(planted) as KubernetesObject[])
      expect(faults.join('\n')).toContain(fault)
    })
  })
}

/** Changes the first object of the kind whose name begins so. */
export function changed(kind: string, name: string, change: (object: Tree) => void): Plant {
  return (objects) => {
    const object = objects.find((one) => one.kind === kind && one.metadata.name.startsWith(name))
    if (object === undefined) throw new Error(`there is no ${kind} ${name}`)
    change(object as unknown as Tree)
    return objects
  }
}

/** A place in an object, by its keys. */
type Path = readonly (string | number)[]

/** Writes a value there into the first object of the kind whose name begins so. */
export function written(kind: string, name: string, path: Path, value: unknown): Plant {
  const key = String(path.at(-1))
  return changed(kind, name, (object) => put(at(object, ...path.slice(0, -1)), key, value))
}

/** Makes an object take the pods of a service for its own that there is not. */
export function selectingNobody(kind: string, name: string): Plant {
  return written(kind, name, ['spec', 'selector', 'matchLabels', 'app.kubernetes.io/name'], 'inteke')
}

/** Returns a place in the pods of a workload. */
export function inPod(...path: Path): Path {
  return ['spec', 'template', 'spec', ...path]
}

/** Returns a place in the one container of a workload's pods. */
export function inContainer(...path: Path): Path {
  return inPod('containers', 0, ...path)
}

/** Leaves an object out. */
export function without(kind: string, name: string): Plant {
  return (objects) => {
    const rest = objects.filter((one) => one.kind !== kind || one.metadata.name !== name)
    if (rest.length === objects.length) throw new Error(`there is no ${kind} ${name}`)
    return rest
  }
}

/** Adds an object. */
export function added(object: KubernetesObject): Plant {
  return (objects) => [...objects, object]
}

/** Returns the subtree that the keys lead to. */
export function at(tree: Tree, ...keys: (string | number)[]): Tree {
  let here = tree
  for (const key of keys) {
    const next = here[key as number]
    if (next === undefined) throw new Error(`there is no ${keys.join('.')}`)
    here = next
  }
  return here
}

/** Writes a value that the type of a tree does not foresee. */
export function put(tree: Tree, key: string, value: unknown): void {
  const fields: Record<string, unknown> = tree
  fields[key] = value
}
