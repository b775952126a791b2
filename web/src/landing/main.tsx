import { createRoot, hydrateRoot } from 'react-dom/client'
import './landing.css'
import { pageFor } from './page-for.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('landing.html has no #root')
const page = pageFor(root.dataset['page'])
// A built page is there before its script; while developing there is nothing yet.
if (root.firstElementChild === null) createRoot(root).render(page)
else hydrateRoot(root, page)
