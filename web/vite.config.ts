import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { antdStyles } from './antd-styles.ts'
import { antdTokens } from './antd-tokens.ts'
import { entryInPieces } from './entry-in-pieces.ts'
import { precompress } from './precompress.ts'
import { prerenderPages } from './prerender.ts'

// The address of a product while its web app is developed.
const gateway = process.env['GATEWAY'] ?? 'http://localhost:8080'

export default defineConfig(({ command }) => {
  // A build started from a test is the one that people get, too.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    plugins: [react(), antdStyles(), antdTokens(), prerenderPages(), entryInPieces(), precompress()],
    // The gateway puts a fresh nonce in place of this text in every page that it serves.
    html: { cspNonce: '__CSP_NONCE__' },
    // Patterns, since a screen's address begins as these do.
    server: { proxy: { '^/api/': gateway, '^/webhook/': gateway } },
    build: {
      target: 'es2022',
      manifest: true,
      // Browsers without it load the same files a little later.
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ['index.html', 'landing.html'], output: { codeSplitting: { groups } } },
    },
  }
})

const groups = [
  // One chunk, so that schemas are set up before the first of them is made; with the contracts that most screens use.
  {
    name: 'schemas',
    test: /node_modules[\\/](zod|big\.js)|schemas-without-eval|proto[\\/](id|decimal|command-result|live-event)\.ts/,
  },
  // Without the router, which the landing page has no use for.
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  // Modules that the landing page shares with the app, in one piece: each file is a request.
  { name: 'small', test: /eventsource-parser|shared[\\/](paths|theme|format|storage-keys)\.ts|brand-mark/ },
  // Parts of antd that most screens share, below its components and with them: each runs in a task of its own. The rest
  // comes with the screens that need it, as forms do.
  { name: 'antd-base', test: /node_modules[\\/](@rc-component|@ant-design[\\/](?!icons))/, minShareCount: 4 },
  {
    name: 'antd',
    test: /node_modules[\\/](antd[\\/]es[\\/](?!form[\\/](?!context)|grid)|@ant-design|@rc-component)/,
    minShareCount: 4,
  },
  { name: 'forms', test: /node_modules[\\/]antd[\\/]es[\\/](form|grid)/, minShareCount: 2 },
  {
    name: 'common',
    test: /src[\\/](ui|shared)[\\/](?!accounts|exchange|live|help|editor|message|number|paper)/,
    minShareCount: 2,
  },
  // Modules that need schemas, which nobody needs before the login, and others that only screens of a session share.
  {
    name: 'session',
    test: /src[\\/](ui[\\/]accounts|shared[\\/](live|number|exchange))|proto[\\/]error-code/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  { name: 'icons', test: /@ant-design[\\/]icons/, minShareCount: 2 },
]
