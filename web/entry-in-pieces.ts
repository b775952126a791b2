import type { Plugin } from 'vite'

const page = 'index.html'
const preloaded = /<link rel="modulepreload" crossorigin href="([^"]+)"/g
const entry = /<script type="module" crossorigin src="([^"]+)" (nonce="[^"]+")><\/script>/

/**
 * Lets the files that the app begins with run one after the other, each in a task of its own: run by the last of them,
 * they would keep the page from answering for as long as all of them take.
 */
export function entryInPieces(): Plugin {
  return {
    name: 'entry-in-pieces',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const file = bundle[page]
        if (file?.type !== 'asset') throw new Error(`The build has no ${page}`)
        const { source } = file
        file.source = inPieces(typeof source === 'string' ? source : new TextDecoder().decode(source))
      },
    },
  }
}

function inPieces(text: string): string {
  const [tag, last, nonce] = entry.exec(text) ?? []
  if (tag === undefined) throw new Error(`${page} has no entry`)
  const files = [...text.matchAll(preloaded)].map(([, file]) => file)
  const all = JSON.stringify([...files, last])
  return text.replace(
    tag,
    `<script type="module" ${nonce}>for (const file of ${all}) await import(file)</script>`,
  )
}
