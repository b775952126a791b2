/** Parameters of a request by name. */
export type Params = ReadonlyMap<string, string>

/** Parameters of query and body together; the query wins where both name one. `repeated` was sent twice in one place. */
export function readParams(query: string, body: string): { params: Params; repeated: string | undefined } {
  const params = new Map<string, string>()
  const repeated = readInto(params, query)
  if (body === '') return { params, repeated }
  const fromBody = new Map<string, string>()
  const repeatedInBody = readInto(fromBody, body)
  for (const [name, value] of fromBody) if (!params.has(name)) params.set(name, value)
  return { params, repeated: repeated ?? repeatedInBody }
}

function readInto(params: Map<string, string>, text: string): string | undefined {
  let repeated: string | undefined
  if (text === '') return repeated
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    if (name === '') continue
    if (params.has(name)) repeated ??= name
    params.set(name, at < 0 ? '' : decode(pair.slice(at + 1)))
  }
  return repeated
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
