import { randomBytes } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Http } from '@tripline/kit/http/http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { filledPage } from '../domain/filled-page.ts'
import { pagePolicy } from '../domain/security-headers.ts'

type Site = Pick<Config, 'FRONT_PAGE' | 'CONTACT_EMAIL' | 'COMMUNITY_URL' | 'TRIPLINE_VENUES' | 'OKX'>

/** The pages for visitors, the web app's files as they are, and its page for every other path outside the API. */
export async function webAppRoutes(http: Http, webDir: string, site: Site): Promise<void> {
  const root = resolve(webDir)
  const frontPage = join(root, `${site.FRONT_PAGE}.html`)
  const { CONTACT_EMAIL = '', COMMUNITY_URL = '', TRIPLINE_VENUES, OKX } = site
  const words = { CONTACT_EMAIL, COMMUNITY_URL, TRIPLINE_VENUES, OKX }
  await http.register(fastifyStatic, { root, serve: false, dotfiles: 'ignore', preCompressed: true })
  http.get<{ Params: { '*': string } }>(
    '/*',
    { schema: { hide: true }, errorHandler: answerNotFound },
    async (request, reply) => {
      const path = request.params['*']
      if (path === 'api' || path.startsWith('api/')) return reply.callNotFound()
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (path === '' || path === 'home') return await sendPage(reply, frontPage, words)
      // Of what has a dot in its name only we name pages; the rest are files, or addresses that somebody made up.
      const isNamedFile = name.includes('.') && !name.endsWith('.html')
      if (isNamedFile && !(await isMadeUp(request, root, path))) return sendFile(reply, path)
      return await sendPage(reply, join(root, 'index.html'), words)
    },
  )

  /** A path that leads out of the folder is refused with 403, on which browsers log out: for them it is not there. */
  function answerNotFound(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    if ((error.statusCode ?? 500) < 500) reply.callNotFound()
    else http.errorHandler(error, request, reply)
  }
}

/**
 * True where a browser opens an address that is no file: the app leads on from there. Files that a page or a program
 * asks for stay missing, and so do paths that begin with a dot, of which nobody learns whether they exist.
 */
async function isMadeUp({ headers }: FastifyRequest, root: string, path: string): Promise<boolean> {
  const isOpened = headers.accept?.includes('text/html') === true
  const isPlain = !path.split('/').some((part) => part.startsWith('.'))
  if (!isOpened || !isPlain || path.startsWith('assets/')) return false
  return await access(join(root, path)).then(
    () => false,
    () => true,
  )
}

/** Names under `assets/` hold a hash of the content, so those never change. */
function sendFile(reply: FastifyReply, path: string): FastifyReply {
  if (path.startsWith('assets/')) return reply.sendFile(path, { maxAge: '365d', immutable: true })
  return reply.header('cache-control', 'no-cache').sendFile(path, { cacheControl: false })
}

async function sendPage(
  reply: FastifyReply,
  file: string,
  words: Record<string, string>,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64')
  const page = await readFile(file, 'utf8')
  return reply
    .header('content-security-policy', pagePolicy(nonce))
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(filledPage(page, { ...words, CSP_NONCE: nonce }))
}
