import fc from 'fast-check'
import type { Call, Schema } from './document.ts'

/** A request as it goes over the wire. */
export interface AnyRequest {
  call: Call
  /** With the query; not normalized. */
  target: string
  session: 'own' | 'none' | 'nonsense'
  contentType: string | undefined
  body: string | undefined
}

const hostile = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 0, -1, 1.5, 1e308, true, [], {}, [[]], '\0', '\ud800', '‮', '😀'),
  fc.constantFrom(
    "'; drop table execution; --",
    '../../etc/passwd',
    '{{7*7}}',
    '%00',
    '<script>',
    '__proto__',
  ),
  fc.constantFrom('x'.repeat(300), 'é'.repeat(2000), '9'.repeat(400), '[['.repeat(200)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.uuid(),
)

/** Any request of these calls, some of them about things that are there: many that are nearly right, and some that are nothing of the kind. */
export function anyRequest(calls: readonly Call[], ids: readonly string[]): fc.Arbitrary<AnyRequest> {
  return fc.constantFrom(...calls).chain((call) =>
    fc.record({
      call: fc.constant(call),
      target: targetOf(call, ids),
      session: fc.constantFrom('own', 'own', 'own', 'own', 'own', 'none', 'nonsense'),
      contentType: fc.constantFrom(
        ...Array(8).fill('application/json'),
        'text/plain',
        'multipart/form-data',
        'x',
        undefined,
      ),
      body: bodyOf(call),
    }),
  )
}

function targetOf({ path, parameters = [] }: Call, ids: readonly string[]): fc.Arbitrary<string> {
  const within = parameters.filter((one) => one.in === 'path')
  const asked = parameters.filter((one) => one.in === 'query')
  const known = ids.length === 0 ? [] : [fc.constantFrom(...ids)]
  const segments = fc.tuple(
    ...within.map(({ schema }) => fc.oneof(spoiled(schema ?? {}).map(textOf), ...known)),
  )
  const query = fc.tuple(
    ...asked.map(({ schema }) => fc.option(spoiled(schema ?? {}).map(textOf), { freq: 1 })),
  )
  return fc.tuple(segments, query, fc.option(fc.string(), { freq: 1 })).map(([values, answers, extra]) => {
    const filled = within.reduce(
      (target, { name }, index) => target.replace(`{${name}}`, () => encoded(values[index] ?? '') || 'x'),
      path,
    )
    const pairs = asked.flatMap(({ name }, index) =>
      answers[index] === null ? [] : [`${name}=${encoded(answers[index] ?? '')}`],
    )
    if (extra !== null) pairs.push(`${encoded(extra)}=1`)
    return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
  })
}

function bodyOf({ requestBody }: Call): fc.Arbitrary<string | undefined> {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return fc.option(fc.constantFrom('{}', 'x'), { nil: undefined, freq: 1 })
  const json = (value: unknown): string => JSON.stringify(value) ?? ''
  return fc.oneof(
    { weight: 6, arbitrary: anyValue(schema).map(json) },
    { weight: 6, arbitrary: spoiled(schema).map(json) },
    { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '{"__proto__":{}}', '[]', 'null', '"x"', 'x'.repeat(70_000)),
    },
  )
}

/** A value of the schema, in which some places hold something else. */
function spoiled(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {})
  const inside = fc.tuple(anyValue(schema), fc.nat(), hostile).map(([value, place, other]) => {
    const [name] = properties[place % Math.max(properties.length, 1)] ?? []
    return name === undefined || typeof value !== 'object' ? other : { ...value, [name]: other }
  })
  return fc.oneof({ weight: 3, arbitrary: anyValue(schema) }, { weight: 3, arbitrary: inside }, hostile)
}

function anyValue(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map(anyValue))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textValue(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(anyValue(schema.items ?? {}), { maxLength: 3 })
    case 'object':
      return objectValue(schema)
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function textValue({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid()
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
  const email = fc.emailAddress()
  if (pattern === undefined) return fc.oneof({ weight: 3, arbitrary: plain }, email)
  return pattern.includes('@') ? email : fc.stringMatching(new RegExp(pattern))
}

function objectValue({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, anyValue(schema)] as const)
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: required.filter((name) => name in properties),
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
