import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type GatewayFixture, startFixture } from './gateway-fixture.ts'

let gateway: GatewayFixture
beforeAll(async () => {
  gateway = await startFixture()
})
afterAll(async () => await gateway.stop())

describe('GET /api/docs', () => {
  test('shows every call of the document', async () => {
    const { status, headers, body } = await gateway.call('/api/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const document = (await gateway.call('/api/openapi.json')).body as { paths: Record<string, object> }
    for (const [path, methods] of Object.entries(document.paths))
      for (const method of Object.keys(methods))
        expect(body).toContain(`${method.toUpperCase()} ${path}</code></h3>`)
  })

  test('loads nothing: no script, no other file, and the one style carries the nonce of its policy', async () => {
    const { headers, body } = await gateway.call('/api/docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1]
    expect(body).toContain(`<style nonce="${nonce}">`)
    expect(body).not.toMatch(/<script|<link|<img|\bsrc=|\son\w+=|style="/)
    expect((await gateway.call('/api/docs')).headers.get('content-security-policy')).not.toBe(policy)
  })
})
