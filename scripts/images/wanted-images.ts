import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'
import { parse } from 'yaml'
import { z } from 'zod'

const Compose = z.looseObject({ services: z.record(z.string(), z.looseObject({ image: z.string() })) })

/** The program in an image. */
export type ImageKind = 'node' | 'postgres' | 'nats' | 'valkey'

/** The names by which Dockerfile and compose.yaml ask for images of others. */
export async function wantedImages(): Promise<Record<ImageKind, string>> {
  const dockerfile = await readFile(path.join(rootDir, 'deploy/Dockerfile'), 'utf8')
  const node = /^ARG NODE_IMAGE=(\S+)/m.exec(dockerfile)?.[1]
  if (node === undefined) throw new Error('deploy/Dockerfile names no NODE_IMAGE')
  const compose = await readFile(path.join(rootDir, 'deploy/compose.yaml'), 'utf8')
  const { services } = Compose.parse(parse(compose, { merge: true }))
  const imageOf = (service: ImageKind): string => {
    const image = services[service]?.image
    if (image === undefined) throw new Error(`deploy/compose.yaml has no ${service}`)
    return image
  }
  return { node, postgres: imageOf('postgres'), nats: imageOf('nats'), valkey: imageOf('valkey') }
}
