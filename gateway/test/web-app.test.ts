import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type GatewayFixture, startFixture } from './gateway-fixture.ts'

describe('the web app', () => {
  let gateway: GatewayFixture
  let parent: string
  beforeAll(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'web-app-'))
    const root = path.join(parent, 'dist')
    await mkdir(path.join(root, 'assets'), { recursive: true })
    await mkdir(path.join(root, '.vite'))
    await Promise.all([
      writeFile(
        path.join(root, 'index.html'),
        `<meta name="venues" content="__TRIPLINE_VENUES__" /><script nonce="__CSP_NONCE__"></script><i nonce="__CSP_NONCE__">${' '.repeat(1500)}`,
      ),
      writeFile(path.join(root, 'landing.html'), 'landing __CONTACT_EMAIL__ __COMMUNITY_URL__ __CSP_NONCE__'),
      writeFile(path.join(root, 'teaser.html'), 'teaser'),
      writeFile(path.join(root, 'assets/index-abc123.js'), 'let large = 1'),
      writeFile(path.join(root, 'assets/index-abc123.js.br'), 'compressed'),
      writeFile(path.join(root, 'favicon.svg'), '<svg/>'),
      writeFile(path.join(root, '.vite/manifest.json'), '{}'),
      writeFile(path.join(parent, 'secret.txt'), 'canary'),
    ])
    const words = { CONTACT_EMAIL: 'legal@example.com', COMMUNITY_URL: 'https://example.com/?a=1&b=2' }
    gateway = await startFixture({ WEB_DIR: root, TRIPLINE_VENUES: 'paper', ...words })
  })
  afterAll(async () => {
    await gateway.stop()
    await rm(parent, { recursive: true })
  })

  test.each([
    '/',
    '/login',
    '/executions?page=2',
    '/verify-email?token=a.b',
    '/webhook',
    '/index.html',
    '/a/b/c',
  ])('%s is the page', async (pathname) => {
    const answer = await gateway.call(pathname)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  })

  test.each(['/', '/home'])('%s is the landing page, with the texts of the settings', async (pathname) => {
    const { body, headers } = await gateway.call(pathname)
    expect(body).toBe(`landing legal@example.com https://example.com/?a=1&amp;b=2 ${nonceOf(headers)}`)
  })

  test.each(['/index.html', '/landing.html', '/teaser.html', '/home/more'])(
    '%s is the app',
    async (pathname) => {
      expect((await gateway.call(pathname)).body).toContain('<script')
    },
  )

  test('the app says where bots trade, as the settings do', async () => {
    expect((await gateway.call('/login')).body).toContain('<meta name="venues" content="paper" />')
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('a large file is sent to callers that accept "%s" as %s', async (accepted, encoding) => {
    const headers = { 'accept-encoding': accepted }
    for (const pathname of ['/login', '/api/openapi.json']) {
      const answer = await gateway.call(pathname, { headers })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
    }
    expect((await gateway.call('/login', { headers })).body).toContain('<script nonce="')
  })

  test('a small file is sent as it is', async () => {
    const headers = { 'accept-encoding': 'br' }
    expect((await gateway.call('/', { headers })).headers.get('content-encoding')).toBeNull()
  })

  test('has the teaser in place of the landing page where a setting says so', async () => {
    const other = await startFixture({ WEB_DIR: path.join(parent, 'dist'), FRONT_PAGE: 'teaser' })
    expect((await other.call('/')).body).toBe('teaser')
    expect((await other.call('/login')).body).toContain('<script')
    await other.stop()
  })

  test('carries a new nonce in its policy and its tags each time', async () => {
    const [first, second] = await Promise.all([gateway.call('/login'), gateway.call('/login')])
    const nonces = [first, second].map(({ headers }) => nonceOf(headers))
    expect(nonces[0]).not.toBe(nonces[1])
    expect(first?.body).toContain(`<script nonce="${nonces[0]}"></script><i nonce="${nonces[0]}">`)
  })

  test('has a policy that allows no foreign, inline or evaluated script', async () => {
    const { headers } = await gateway.call('/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src 'self' 'nonce-${nonceOf(headers)}'`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("connect-src 'self'")
  })

  test('has files that never change, compressed where a browser takes it', async () => {
    const plain = await gateway.call('/assets/index-abc123.js', {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(plain).toMatchObject({ status: 200, body: 'let large = 1' })
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toContain('/javascript')
    const small = await fetch(`${gateway.url}/assets/index-abc123.js`, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br' },
    })
    expect(small.headers.get('content-encoding')).toBe('br')
    expect(small.headers.get('vary')).toContain('accept-encoding')
  })

  test('has other files that are looked at anew', async () => {
    const answer = await gateway.call('/favicon.svg')
    expect(answer).toMatchObject({ status: 200, body: '<svg/>' })
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('etag')).toBeTruthy()
  })

  const opened = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

  test.each(['/foo.bar', '/a/b.c/d.e', '/secret.txt'])(
    '%s is the app where a browser opens it',
    async (pathname) => {
      const answer = await gateway.call(pathname, opened)
      expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('<script') })
      expect((await gateway.call(pathname)).status).toBe(404)
    },
  )

  test('files stay files, and missing, hidden and foreign ones stay away, where a browser opens them', async () => {
    expect(await gateway.call('/favicon.svg', opened)).toMatchObject({ status: 200, body: '<svg/>' })
    for (const pathname of [
      '/assets/missing.js',
      '/.vite/manifest.json',
      '/..%2fsecret.txt',
      '/..%2fnone.txt',
    ]) {
      expect((await gateway.call(pathname, opened)).status).toBe(404)
    }
  })

  test.each([
    '/assets/missing.js',
    '/.vite/manifest.json',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/%00.js',
    '/%zz',
    '/api/%zz',
    '/api/nothing',
    '/api',
  ])('has nothing at %s', async (pathname) => {
    const answer = await gateway.call(pathname)
    expect([400, 404]).toContain(answer.status)
    expect(answer.body).toMatchObject({ detail: expect.any(String), request_id: expect.any(String) })
    expect(JSON.stringify(answer.body)).not.toMatch(/canary|manifest|node_modules/)
  })

  test('takes no POST', async () => {
    expect((await gateway.call('/login', { body: {} })).status).toBe(404)
  })

  function nonceOf(headers: Headers): string | undefined {
    return /script-src 'self' 'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1]
  }
})
