import * as clientNode from '@kubernetes/client-node'
import type { KubernetesObject } from '@tripline/testkit/k8s/document'
import { z } from 'zod'
import { unaskedFields } from './unasked-fields.ts'

interface Attribute {
  name: string
  baseName: string
  type: string
}

const types = clientNode as unknown as Record<string, { attributeTypeMap?: Attribute[] } | undefined>
const Failure = z.looseObject({ message: z.string() })

/** Returns the faults in the form of an object: unknown fields, values of a wrong type, and missing fields. */
export async function schemaFaults(object: KubernetesObject): Promise<string[]> {
  const place = `${object.kind}/${object.metadata.name}`
  const type = typeOf(object)
  const { unknown, faults } = await judgeByModel(object)
  // Kubernetes' own kinds have types, which are surer: the models leave out fields that are called description.
  const strays = type === undefined ? unknown.map(unknownField) : faultsOf(object, type, '')
  return [...new Set([...strays, ...faults])].map((fault) => `${place}: ${fault}`)
}

function typeOf({ apiVersion, kind }: KubernetesObject): string | undefined {
  const version = apiVersion.split('/').at(-1) ?? ''
  const type = `${version.charAt(0).toUpperCase()}${version.slice(1)}${kind}`
  return types[type]?.attributeTypeMap === undefined ? undefined : type
}

function unknownField(at: string): string {
  return `${at} is no known field`
}

/** Compares a value with a type as the client of Kubernetes names it. */
function faultsOf(value: unknown, type: string, at: string): string[] {
  const [, listed] = /^Array<(.*)>$/.exec(type) ?? []
  if (listed !== undefined) {
    if (!Array.isArray(value)) return [`${at} is no list`]
    return value.flatMap((one, index) => faultsOf(one, listed, `${at}[${index}]`))
  }
  const [, mapped] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? []
  if (mapped !== undefined) {
    if (!isRecord(value)) return [`${at} is no map`]
    return Object.entries(value).flatMap(([key, one]) => faultsOf(one, mapped, `${at}.${key}`))
  }
  const known = types[type]?.attributeTypeMap
  return known === undefined ? primitiveFaults(value, type, at) : fieldFaults(value, known, at)
}

function fieldFaults(value: unknown, known: Attribute[], at: string): string[] {
  if (!isRecord(value)) return [`${at} is no object`]
  return Object.entries(value).flatMap(([field, one]) => {
    const attribute = known.find(({ baseName }) => baseName === field)
    const below = at === '' ? field : `${at}.${field}`
    return attribute === undefined ? [unknownField(below)] : faultsOf(one, attribute.type, below)
  })
}

function primitiveFaults(value: unknown, type: string, at: string): string[] {
  const fits: Record<string, boolean> = {
    string: typeof value === 'string',
    number: typeof value === 'number',
    boolean: typeof value === 'boolean',
    IntOrString: typeof value === 'number' || typeof value === 'string',
  }
  return (fits[type] ?? true) ? [] : [`${at} is not of type ${type}`]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const customModels: Record<string, string | undefined> = {
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

/** Judges an object by its model; an object without a model has a fault. */
async function judgeByModel(object: KubernetesObject): Promise<{ unknown: string[]; faults: string[] }> {
  const Model = await modelOf(object)
  if (Model === undefined)
    return { unknown: [], faults: [`there is no model of ${object.apiVersion} ${object.kind}`] }
  const faults: string[] = []
  const unknown = unaskedFields(object, (watched) => {
    try {
      Model.prototype.validate.call(watched)
    } catch (error) {
      faults.push(Failure.parse(error).message)
    }
  })
  return { unknown, faults }
}

interface Model {
  prototype: { validate: (this: object) => void }
}

async function modelOf({ apiVersion, kind }: KubernetesObject): Promise<Model | undefined> {
  const [group = ''] = apiVersion.split('/')
  const holder = customModels[group] ?? 'kubernetes-models'
  try {
    const module: Record<string, Model> = await import(`${holder}/${apiVersion}/${kind}`)
    return module[kind]
  } catch {
    return undefined
  }
}
