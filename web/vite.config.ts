import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.ts'

const gateway = 'http://localhost:8080'

export default defineConfig(({ command }) => {
  // A build started from a test is the one that people get, too.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    plugins: [react(), precompress()],
    // The gateway puts a fresh nonce in place of this text in every index.html that it serves.
    html: { cspNonce: '__CSP_NONCE__' },
    server: { proxy: { '/api': gateway, '/webhook': gateway } },
    build: { target: 'es2022', rolldownOptions: { output: { codeSplitting: { groups } } } },
  }
})

const groups = [
  // One chunk, so that schemas are set up before the first of them is made.
  { name: 'schemas', test: /node_modules[\\/]zod|schemas-without-eval/ },
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/ },
]
