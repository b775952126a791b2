import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { type AnyRequest, anyRequest } from './any-request.ts'
import { type Call, callsOf, type OpenApi } from './document.ts'
import { type AnyAnswer, sendRequest } from './send-request.ts'

export interface FuzzOptions {
  url: string
  /** A token that is valid now; asked for before each request. */
  token: () => Promise<string> | string
  count: number
  seed: number
  /** Of things that are there when it begins. */
  ids?: readonly string[]
  /** Calls that end what the others stand on. */
  leftOut?: readonly string[]
}

/** The count of answers by status. */
export type Tally = Record<string, number>

/**
 * Sends that many requests made from the API's own document; throws for the first answer that is a fault, shows a
 * stack, or is not what the document says.
 */
export async function fuzzApi(options: FuzzOptions): Promise<Tally> {
  const { url, token, count, seed, ids = [], leftOut = [] } = options
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApi
  const calls = callsOf(document).filter(({ method, path }) => !leftOut.includes(`${method} ${path}`))
  const judge = createJudge()
  const tally: Tally = {}
  const property = fc.asyncProperty(anyRequest(calls, ids), async (sent) => {
    const answer = await sendRequest(url, sent, await token())
    tally[answer.status] = (tally[answer.status] ?? 0) + 1
    const complaint = judge(sent, answer)
    if (complaint !== undefined)
      throw new Error(`${complaint}: ${answer.status} ${answer.body.slice(0, 500)}`)
  })
  await fc.assert(property, { numRuns: count, seed, endOnFailure: true })
  return tally
}

const faults = [500, 502, 504]
const traces = /\bat \S+ \(|node_modules|\.ts:\d+|\bError: /

// Statuses with which the server refuses before it knows the call.
const beforeTheCall = [400, 404, 413, 415, 431]

function createJudge(): (sent: AnyRequest, answer: AnyAnswer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const known = validators.get(schema) ?? ajv.compile(schema)
    validators.set(schema, known)
    return known
  }
  return ({ call }, answer) => {
    if (faults.includes(answer.status)) return 'a fault'
    if (traces.test(answer.body)) return 'a stack'
    const schema = schemaOf(call, answer)
    if (schema === undefined) {
      const isRefusal = beforeTheCall.includes(answer.status) && isErrorBody(answer.body)
      return isRefusal ? undefined : 'an answer that the document does not know'
    }
    if (schema === 'any') return undefined
    const validate = validatorOf(schema)
    if (validate(answer.body === '' ? null : JSON.parse(answer.body))) return undefined
    return `an answer of another form (${ajv.errorsText(validate.errors)})`
  }
}

function schemaOf({ responses }: Call, { status, contentType }: AnyAnswer): object | 'any' | undefined {
  const described = responses[status]
  if (described === undefined) return undefined
  const [type = ''] = contentType.split(';')
  if (described.content === undefined || status === 204) return 'any'
  return type === 'application/json' ? described.content[type]?.schema : described.content[type] && 'any'
}

function isErrorBody(body: string): boolean {
  const parsed = JSON.parse(body)
  return ['detail', 'code', 'request_id'].every((name) => name in parsed)
}
