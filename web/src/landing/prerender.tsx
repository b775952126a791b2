import { renderToString } from 'react-dom/server'
import { pageFor, pageNames } from './page-for.tsx'

/** The markup of each page, as it is before its script runs. */
export function prerender(): { name: string; markup: string }[] {
  return pageNames.map((name) => ({ name, markup: renderToString(pageFor(name)) }))
}
