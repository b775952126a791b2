import type { ComponentProps } from 'react'
import Markdown, { type Components } from 'react-markdown'
import { paths } from '../../shared/paths.ts'
import { siteWord } from '../../shared/site-word.ts'
import { texts } from '../../shared/texts.ts'
import { OpenHeader } from '../../ui/open-header.tsx'
import { anchorOf, headingsOf } from './headings.ts'
import { legalTexts } from './texts.ts'
import './legal.css'

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
      <OpenHeader />
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

const components: Components = { h2: LegalHeading }

/** A legal document with its dates, its contents, and whom to write to. */
function LegalDocument({ markdown }: { markdown: string }) {
  const email = siteWord('contact-email')
  return (
    <div className="legal-columns">
      <nav className="legal-contents" aria-label={legalTexts.contents}>
        <h2>{legalTexts.contents}</h2>
        <ol className="legal-links">
          {headingsOf(markdown).map(({ text, anchor }) => (
            <li key={anchor}>
              <a href={`#${anchor}`}>{text}</a>
            </li>
          ))}
        </ol>
      </nav>
      <article className="legal-text">
        <dl>
          <dt>{legalTexts.effective}</dt>
          <dd>{legalTexts.date}</dd>
          <dt>{legalTexts.updated}</dt>
          <dd>{legalTexts.date}</dd>
        </dl>
        <Markdown components={components}>{markdown}</Markdown>
        {email !== '' && (
          <p className="legal-contact">
            {legalTexts.contact}: <a href={`mailto:${email}`}>{email}</a>
          </p>
        )}
      </article>
    </div>
  )
}

/** A heading that the contents lead to. */
function LegalHeading({ children }: ComponentProps<'h2'>) {
  return <h2 id={anchorOf(String(children))}>{children}</h2>
}
