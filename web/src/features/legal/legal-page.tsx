import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { Brand } from '../../ui/brand.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { LegalDocument } from './legal-document.tsx'
import './legal.css'
import { legalTexts } from './texts.ts'

/** A page with a legal document. */
export function LegalPage({ title, markdown }: { title: string; markdown: string }) {
  return (
    <div className="legal">
      <title>{`${title} · ${texts.brand}`}</title>
      <header className="legal-header">
        {/* The landing page is a document of its own. */}
        <a href={paths.landing} className="legal-brand">
          <Brand />
        </a>
        <ThemeToggle />
      </header>
      <main>
        <a href={paths.landing} className="legal-back">
          ← {legalTexts.back}
        </a>
        <h1>{title}</h1>
        <LegalDocument markdown={markdown} />
      </main>
    </div>
  )
}
