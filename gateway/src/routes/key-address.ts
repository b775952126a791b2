import { KeyAddressesView } from '@tripline/proto/http/key'
import type { Access } from '../access/access.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

/** Serves the addresses that an API key has to allow at its exchange, before there is a key. */
export function keyAddressRoutes(api: Api, { guard }: Access, egressAddresses: readonly string[]): void {
  const schema = {
    tags: ['keys'],
    operationId: 'listKeyAddresses',
    summary: 'The addresses that an API key has to allow where it is restricted to some',
    security: bearer,
    response: { ...sessionRefusals, 200: KeyAddressesView },
  }
  api.get('/api/keys/addresses', { onRequest: guard, schema }, async () => ({
    addresses: [...egressAddresses],
  }))
}
