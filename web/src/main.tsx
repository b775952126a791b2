import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadOpenedScreen } from './app/routes.tsx'
import { keepDraft } from './app/stored-draft.ts'
import 'virtual:antd.css'
import './ui/base.css'
import './ui/phone-targets.css'
import './ui/palette.css'
import { beforeExpiry } from './shared/end-session.ts'
import { watchForNewVersion } from './shared/new-version.ts'
import { applyStoredPalette } from './shared/palette.ts'
import { watchWhereUsed } from './ui/notice-placement.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
applyStoredPalette()
watchForNewVersion()
watchWhereUsed()
loadOpenedScreen()
beforeExpiry(keepDraft)
// In short pieces, so that the page answers meanwhile.
startTransition(() => createRoot(root).render(<App />))
