// node scripts/web-client.ts [--check]: writes the web app's client from what the gateway says of its calls; with
// --check it only tells whether the written one is current.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generateEndpoints } from '@rtk-query/codegen-openapi'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import { z } from 'zod'
import { describeApi } from '../gateway/src/api-document.ts'

const sharedDir = path.join(rootDir, 'web/src/shared')
const clientFile = path.join(sharedDir, 'client.ts')

/** The calls that the web app makes through its client, by the names that they have there. */
const names: Record<string, string> = {
  'post /api/auth/register': 'register',
  'post /api/auth/verify-email': 'verifyEmail',
  'post /api/auth/verify-email/resend': 'resendVerification',
  'post /api/auth/password-reset/request': 'requestPasswordReset',
  'post /api/auth/password-reset/confirm': 'resetPassword',
  'post /api/auth/login': 'login',
  'get /api/auth/sessions': 'listSessions',
  'delete /api/auth/sessions': 'endOtherSessions',
  'delete /api/auth/sessions/{id}': 'endSession',
  'post /api/waitlist': 'joinWaitlist',
  'get /api/users/me': 'getMe',
  'get /api/keys': 'listKeys',
  'get /api/keys/addresses': 'listKeyAddresses',
  'post /api/keys': 'createKey',
  'put /api/keys/{id}': 'updateKey',
  'delete /api/keys/{id}': 'deleteKey',
  'post /api/keys/{id}/test': 'testKey',
  'post /api/keys/{id}/reset': 'resetKey',
  'get /api/keys/{id}/trading': 'getKeyTrading',
  'put /api/keys/{id}/trading': 'updateKeyTrading',
  'get /api/keys/{id}/close-only': 'getCloseOnly',
  'post /api/keys/{id}/close-only': 'createCloseOnly',
  'post /api/keys/{id}/close-only/regenerate': 'regenerateCloseOnly',
  'delete /api/keys/{id}/close-only': 'deleteCloseOnly',
  'get /api/trading-state': 'getTradingState',
  'put /api/trading-state': 'updateTradingState',
  'get /api/notifications': 'getNotifications',
  'put /api/notifications': 'updateNotifications',
  'post /api/notifications/test': 'testNotifications',
  'get /api/webhook-config': 'getWebhookConfig',
  'put /api/webhook-config': 'updateWebhookConfig',
  'get /api/webhook-config/usage': 'getWebhookUsage',
  'post /api/webhook-config/regenerate': 'regenerateWebhook',
  'get /api/webhook-executions': 'listExecutions',
  'get /api/webhook-executions/summary': 'getExecutionSummary',
  'get /api/webhook-executions/sums': 'getExecutionSums',
  'get /api/webhook-executions/{id}': 'getExecution',
  'post /api/commands/preview': 'previewCommands',
  'get /api/accounts': 'listAccounts',
}

/** Streams, files and what the session itself does are fetched by hand; health is for launchers. */
const byHand = [
  'post /api/auth/refresh',
  'post /api/auth/logout',
  'get /api/events/stream',
  'get /api/events/public-stream',
  'get /api/webhook-executions/export',
  'get /api/health',
]

const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) })),
  ),
})

const fresh = await currentClient()
if (!process.argv.includes('--check')) await writeFile(clientFile, fresh)
else if (fresh !== (await readFile(clientFile, 'utf8').catch(() => ''))) {
  console.error('web/src/shared/client.ts is not what the gateway says of its calls: npm run web-client')
  process.exit(1)
}

async function currentClient(): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  try {
    const schemaFile = path.join(folder, 'openapi.json')
    await writeFile(schemaFile, JSON.stringify(await namedDocument()))
    const code = await generateEndpoints({
      schemaFile,
      apiFile: './api-base.ts',
      apiImport: 'apiBase',
      exportName: 'client',
      flattenArg: true,
      hooks: { queries: true, lazyQueries: true, mutations: true },
    })
    // Written as the web app imports: with the file's whole name.
    const imported = code?.replace('"./api-base"', '"./api-base.ts"') ?? ''
    return `// Written by scripts/web-client.ts from the gateway's OpenAPI document.\n${imported}`
  } finally {
    await remove()
  }
}

/** The document with a name for each call of the client, and without the others. */
async function namedDocument(): Promise<object> {
  const document = Document.parse(await describeApi('http://localhost'))
  for (const [route, methods] of Object.entries(document.paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const asked = `${method} ${route}`
      const name = names[asked]
      if (name !== undefined) call['operationId'] = name
      else if (byHand.includes(asked)) delete methods[method]
      else throw new Error(`scripts/web-client.ts has no name for ${asked}`)
    }
  }
  return document
}
