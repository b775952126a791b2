import { paths } from '../shared/paths.ts'
import { Brand } from './brand.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

/** The bar above what is open to everybody. */
export function OpenHeader() {
  return (
    <header className="open-header">
      {/* The landing page is a document of its own. */}
      <a href={paths.landing} className="brand-link">
        <Brand />
      </a>
      <ThemeToggle />
    </header>
  )
}
