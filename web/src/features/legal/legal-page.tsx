import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { Brand } from '../../ui/brand.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { LegalDocument } from './legal-document.tsx'
import './legal.css'
import { legalTexts } from './texts.ts'

interface LegalPageProps {
  title: string
  markdown: string
  /** The other document, for who has read this one. */
  next: { title: string; path: string }
}

/** A page with a legal document. */
export function LegalPage({ title, markdown, next }: LegalPageProps) {
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
        {/* Opened anew, and so from its beginning. */}
        <a href={next.path} className="legal-next">
          {next.title} →
        </a>
      </main>
    </div>
  )
}
