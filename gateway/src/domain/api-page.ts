interface Described {
  description?: string
  content?: Record<string, { schema?: unknown }>
}

interface Call {
  tags?: string[]
  summary?: string
  description?: string
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: unknown }[]
  requestBody?: Described
  responses: Record<string, Described>
}

/** The parts of an OpenAPI document that the page shows. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string }
  paths: Record<string, Record<string, Call>>
}

interface NamedCall extends Call {
  name: string
  anchor: string
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font: 13px/1.45 ui-monospace, monospace }
pre { overflow-x: auto; padding: .6rem .8rem; border: 1px solid #8884; border-radius: 6px }
nav ul { list-style: none; padding: 0; columns: 20rem }
article { border-top: 1px solid #8884; padding: .6rem 0 }
h3 { margin: .4rem 0 } h3 code { font-size: 15px }
table { border-collapse: collapse; width: 100% } td { padding: .15rem .6rem .15rem 0; vertical-align: top }
summary { cursor: pointer }
`

/** The page about the calls of an API, in two parts: between them stands the tag of its style. */
export function apiPage({ info, paths }: ApiDocument): { before: string; after: string } {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => namedCall(method, path, call)),
  )
  const tags = [...new Set(calls.map(tagOf))]
  const title = `${escaped(info.title)} API`
  const body = [
    `<h1>${title}</h1><p>${escaped(info.description ?? '')} Every error answers`,
    '<code>{detail, code, request_id}</code>. The document for machines is',
    '<a href="/api/openapi.json">/api/openapi.json</a>.</p>',
    `<nav><ul>${calls.map(linkTo).join('')}</ul></nav>`,
    ...tags.map((tag) =>
      section(
        tag,
        calls.filter((call) => tagOf(call) === tag),
      ),
    ),
  ].join('\n')
  return {
    before: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1">`,
    after: `${style}</style></head><body>${body}</body></html>`,
  }
}

function namedCall(method: string, path: string, call: Call): NamedCall {
  const name = `${method.toUpperCase()} ${path}`
  return { ...call, name, anchor: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') }
}

function tagOf({ tags }: NamedCall): string {
  return tags?.[0] ?? 'other'
}

function linkTo({ anchor, name }: NamedCall): string {
  return `<li><a href="#${anchor}"><code>${escaped(name)}</code></a></li>`
}

function section(tag: string, calls: readonly NamedCall[]): string {
  return `<section><h2>${escaped(tag)}</h2>${calls.map(article).join('')}</section>`
}

function article(call: NamedCall): string {
  const { name, anchor, summary = '', description = '', security, parameters = [], requestBody } = call
  return [
    `<article id="${anchor}"><h3><code>${escaped(name)}</code></h3>`,
    `<p>${escaped([summary, description].filter((text) => text !== '').join('. '))}${security ? ' <em>Needs a session.</em>' : ''}</p>`,
    parameters.length > 0 ? `<table>${parameters.map(parameterRow).join('')}</table>` : '',
    requestBody ? contents('Body', requestBody) : '',
    ...Object.entries(call.responses).map(([status, answer]) => contents(status, answer)),
    '</article>',
  ].join('')
}

type Parameter = NonNullable<Call['parameters']>[number]

function parameterRow({ name, in: location, required, description = '', schema }: Parameter): string {
  const cells = [
    `<code>${escaped(name)}</code>`,
    `${escaped(location)}${required ? ', required' : ''}`,
    `<code>${escaped(JSON.stringify(schema) ?? '')}</code>`,
    escaped(description),
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

function contents(title: string, { description = '', content = {} }: Described): string {
  const shown = Object.entries(content).map(
    ([type, { schema }]) =>
      `<p><code>${escaped(type)}</code></p><pre>${escaped(JSON.stringify(schema, undefined, 2) ?? '')}</pre>`,
  )
  const head = `<strong>${escaped(title)}</strong> ${escaped(description)}`
  return shown.length === 0
    ? `<p>${head}</p>`
    : `<details><summary>${head}</summary>${shown.join('')}</details>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
