import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const worthwhileBytes = 1024
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Puts compressed copies beside every script and style, so that no server has to compress them at run time. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      // After everybody else: what is compressed must be what is written.
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          const source = file.type === 'chunk' ? file.code : file.source
          if (!/\.(js|css)$/.test(fileName) || source.length < worthwhileBytes) continue
          this.emitFile({
            type: 'asset',
            fileName: `${fileName}.br`,
            source: brotliCompressSync(source, brotliOptions),
          })
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) })
        }
      },
    },
  }
}
