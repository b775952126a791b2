import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { contracts } from './wire/contracts.ts'

/** The objects within a schema that refuse a field which they do not know. */
function closedObjects(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const within = (others: readonly z.core.$ZodType[]): string[] =>
    others.flatMap((other) => closedObjects(other, seen))
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const isClosed = def.catchall !== undefined && def.catchall._zod.def.type === 'never'
      return [...(isClosed ? [Object.keys(def.shape).join()] : []), ...within(Object.values(def.shape))]
    }
    case 'array':
      return within([def.element])
    case 'union':
      return within(def.options)
    case 'intersection':
      return within([def.left, def.right])
    case 'tuple':
      return within(def.items)
    case 'record':
      return within([def.valueType])
    case 'pipe':
      return within([def.in, def.out])
    case 'lazy':
      return within([def.getter()])
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return within([def.innerType])
    default:
      return []
  }
}

describe('records that a newer version writes are read by this one', () => {
  test.each([...contracts])('%s takes fields that it does not know', (_name, schema) => {
    expect(closedObjects(schema)).toEqual([])
  })

  test('a closed object would be found, however deep it lies', () => {
    const deep = z.object({ a: z.array(z.union([z.string(), z.strictObject({ b: z.int() })])).optional() })
    expect(closedObjects(deep)).toEqual(['b'])
  })
})
