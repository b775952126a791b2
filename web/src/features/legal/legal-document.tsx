import type { ComponentProps } from 'react'
import type { Components } from 'react-markdown'
import Markdown from 'react-markdown'
import { siteWord } from '../../shared/site-word.ts'
import { anchorOf, headingsOf } from './headings.ts'
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

/** A heading that the contents lead to. */
function LegalHeading({ children }: ComponentProps<'h2'>) {
  return <h2 id={anchorOf(String(children))}>{children}</h2>
}
