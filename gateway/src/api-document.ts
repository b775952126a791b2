import { generateSealingPair, readSealingKeys, type SealingKey } from '@tripline/kit/crypto/seal'
import { buildHttp } from '@tripline/kit/http/http'
import { createLog } from '@tripline/kit/telemetry/log'
import { apiRoutes } from './api-routes.ts'
import { typedByZod } from './routes/api.ts'
import { registerOpenapi } from './routes/openapi.ts'

/** The OpenAPI document of every call, made without a bus or a service. */
export async function describeApi(publicUrl: string): Promise<object> {
  const http = buildHttp({ log: createLog('gateway', 'silent'), bodyLimitBytes: 1, isReady: () => false })
  await registerOpenapi(http, publicUrl)
  const sealingKey = nobodysKey()
  apiRoutes(typedByZod(http), {
    ask: isOnlyDescribed,
    access: { guard: isOnlyDescribed, sessionOf: isOnlyDescribed },
    streams: {
      own: { admit: isOnlyDescribed, endAll: isOnlyDescribed, count: isOnlyDescribed },
      everybody: { admit: isOnlyDescribed, endAll: isOnlyDescribed, count: isOnlyDescribed },
    },
    sealingKeys: { executor: sealingKey, notifier: sealingKey },
    checkHealth: isOnlyDescribed,
    publicUrl,
    egressAddresses: [],
    isOkxOn: false,
  })
  await http.ready()
  const document = http.swagger()
  await http.close()
  return document
}

function isOnlyDescribed(): never {
  throw new Error('This server describes its calls, it does not answer them')
}

function nobodysKey(): SealingKey {
  const [key] = readSealingKeys(generateSealingPair('nobody').publicText)
  if (key === undefined) throw new Error('A new pair has no public key')
  return key
}
