import './app/schemas-without-eval.ts'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import 'virtual:antd.css'
import './ui/base.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(<App />)
