import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rootDir } from '@tripline/testkit/paths'

interface Bundler {
  build(options: object): Promise<{ output: { code: string }[] }>
}

export interface BundleSize {
  minified: number
  gzip: number
}

/** Returns the size of these modules of the language and all they import in the browser, bundled as the web app is. */
export async function bundleSize(modules: readonly string[]): Promise<BundleSize> {
  const webRequire = createRequire(path.join(rootDir, 'web/package.json'))
  const bundler: Bundler = await import(pathToFileURL(webRequire.resolve('vite')).href)
  const root = await mkdtemp(path.join(tmpdir(), 'tripline-bundle-'))
  const input = path.join(root, 'entry.ts')
  const folder = path.join(rootDir, 'proto/language')
  await writeFile(input, modules.map((name) => `export * from '${folder}/${name}.ts'\n`).join(''))
  try {
    const { output } = await bundler.build({
      root,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: { input, preserveEntrySignatures: 'strict' },
      },
    })
    const code = output.map((chunk) => chunk.code).join('')
    return { minified: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length }
  } finally {
    await rm(root, { recursive: true })
  }
}
