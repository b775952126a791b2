import { type Plugin, type Rolldown, runnerImport } from 'vite'

type Bundle = Rolldown.OutputBundle
type Prerender = typeof import('./src/landing/prerender.tsx')

const template = 'landing.html'

/**
 * Writes the pages that visitors meet first: with their markup and styles in them, so that they are there before any
 * script, and with the names of the files that the app begins with, so that these can be fetched ahead.
 */
export function prerenderPages(): Plugin {
  return {
    name: 'prerender-pages',
    configureServer: ({ middlewares }) => {
      // The gateway does the same for a built app.
      middlewares.use((request, _response, next) => {
        if (request.url === '/' || request.url === '/home') request.url = `/${template}`
        next()
      })
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = textOf(bundle, template)
        const style = takeStyle(bundle, page)
        const complete = page
          .replace(style.tag, () => `<style nonce="__CSP_NONCE__">${style.text}</style>`)
          .replace('</title>', () => `</title>\n    <meta name="app-files" content="${appFiles(bundle)}" />`)
        delete bundle[template]
        for (const { name, markup } of await markups()) {
          const root = '<div id="root" data-page="landing">'
          const filled = complete.replace(root, () => `<div id="root" data-page="${name}">${markup}`)
          this.emitFile({ type: 'asset', fileName: `${name}.html`, source: filled })
        }
      },
    },
  }
}

async function markups(): ReturnType<Prerender['prerender']> extends infer R ? Promise<R> : never {
  const { module } = await runnerImport<Prerender>('./src/landing/prerender.tsx')
  return module.prerender()
}

function textOf(bundle: Bundle, fileName: string): string {
  const file = bundle[fileName]
  if (file?.type !== 'asset') throw new Error(`The build has no ${fileName}`)
  return typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source)
}

/** The page's style sheet, out of the bundle and into the page. */
function takeStyle(bundle: Bundle, page: string): { tag: string; text: string } {
  const [tag, fileName] = /<link rel="stylesheet"[^>]* href="\/([^"]+)"[^>]*>/.exec(page) ?? []
  if (tag === undefined || fileName === undefined) throw new Error(`${template} has no style sheet`)
  const text = textOf(bundle, fileName)
  delete bundle[fileName]
  return { tag, text }
}

/** Returns the files that the app's page asks for at once. */
function appFiles(bundle: Bundle): string {
  const page = textOf(bundle, 'index.html')
  return [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file).join(' ')
}
