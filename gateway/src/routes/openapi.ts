import swagger from '@fastify/swagger'
import type { Http } from '@tripline/kit/http/http'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** Describes every route registered after this, at `/api/openapi.json`. */
export async function registerOpenapi(http: Http, publicUrl: string): Promise<void> {
  await http.register(swagger, {
    transform: jsonSchemaTransform,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Tripline', version: '1', description: 'Webhook alerts become orders.' },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
  })
  http.get('/api/openapi.json', { schema: { hide: true } }, () => http.swagger())
}
