// node scripts/web-client.ts [--check]: writes the calls of the API, and the web app's client that makes them, from what
// the gateway says of them; with --check it only reports whether the written ones are current.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generateEndpoints } from '@rtk-query/codegen-openapi'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import { z } from 'zod'
import { describeApi } from '../gateway/src/api-document.ts'

/** Streams, files and what the session itself does are fetched by hand; health is for launchers. */
const byHand = [
  'refresh',
  'logout',
  'streamEvents',
  'streamPublicEvents',
  'exportExecutions',
  'exportReceipts',
  'getHealth',
]

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
})

const head = "// Written by scripts/web-client.ts from the gateway's OpenAPI document.\n"
const callsHead = `${head}
/** A call as it is sent; the type of its answer goes with it. */
export interface Call<Answer> {
  url: string;
  method?: string;
  body?: unknown;
  params?: Record<string, unknown>;
  readonly answer?: Answer;
}

`
const clientHead = `${head}import { calls } from "@tripline/proto/http/calls";
import type * as of from "@tripline/proto/http/calls";
import { apiBase as api } from "./api-base.ts";
export type * from "@tripline/proto/http/calls";
`

for (const [file, fresh] of Object.entries(await currentFiles())) {
  const place = path.join(rootDir, file)
  if (!process.argv.includes('--check')) await writeFile(place, fresh)
  else if (fresh !== (await readFile(place, 'utf8').catch(() => ''))) {
    console.error(`${file} does not match the calls of the gateway: npm run web-client`)
    process.exit(1)
  }
}

/** The calls are for everybody; what binds them to the web app is a file of its own. */
async function currentFiles(): Promise<Record<string, string>> {
  const [, endpoints = '', types = '', hooks = ''] =
    /\(build\) => \(\{\n(.*)^ {2}\}\),\n.*?^(export type .*)^(export const \{.*)/ms.exec(await generated()) ??
    []
  const one =
    /(\w+): (build\.\w+)<\s*(\w+),\s*(\w+)\s*>\(\{\s*query: \((\w*)\) => (\(\{.*?\}\)),\n {4}\}\),\n/gs
  const parts = [...endpoints.matchAll(one)]
  const calls = parts.map(
    ([, name, , answer, asked, argument, call = '']) =>
      `  ${name}: (${argument && `${argument}: ${asked}`}): Call<${answer}> => ${call.replaceAll('\n    ', '\n')},\n`,
  )
  const bound = parts.map(
    ([, name, build, answer, asked]) =>
      `    ${name}: ${build}<of.${answer}, of.${asked}>({ query: calls.${name} }),\n`,
  )
  const client = `export const client = api.injectEndpoints({\n  endpoints: (build) => ({\n${bound.join('')}  }),\n});\n`
  return {
    'proto/http/calls.ts': `${callsHead}export const calls = {\n${calls.join('')}};\n${types}`,
    'web/src/shared/client.ts': `${clientHead}${client}${hooks.replace('injectedRtkApi', 'client')}`,
  }
}

/** The client as the generator writes it, whose endpoints hold their calls. */
async function generated(): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  try {
    const schemaFile = path.join(folder, 'openapi.json')
    await writeFile(schemaFile, JSON.stringify(await clientDocument()))
    const hooks = { queries: true, lazyQueries: true, mutations: true }
    const code = await generateEndpoints({ schemaFile, apiFile: './api-base.ts', flattenArg: true, hooks })
    return code ?? ''
  } finally {
    await remove()
  }
}

/** The document without what is called by hand. */
async function clientDocument(): Promise<object> {
  const document = Document.parse(await describeApi('http://localhost'))
  for (const methods of Object.values(document.paths))
    for (const [method, { operationId }] of Object.entries(methods))
      if (byHand.includes(operationId)) delete methods[method]
  return document
}
