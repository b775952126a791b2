import Markdown, { type Components } from 'react-markdown'
import { siteWord } from '../../shared/site-word.ts'
import { headingsOf } from './headings.ts'
import { LegalHeading } from './legal-heading.tsx'
import { legalTexts } from './texts.ts'

const components: Components = { h2: LegalHeading }

/** A legal document with its dates, its contents, and whom to write to. */
export function LegalDocument({ markdown }: { markdown: string }) {
  const email = siteWord('contact-email')
  return (
    <div className="legal-columns">
      <nav className="legal-contents" aria-label={legalTexts.contents}>
        <h2>{legalTexts.contents}</h2>
        <ol>
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
