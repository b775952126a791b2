import { Link } from 'react-router-dom'
import type { Section } from './sections.ts'
import { manualTexts } from './texts.ts'

/** The sections of the manual, each leading to its place. */
export function Contents({ sections }: { sections: readonly Section[] }) {
  return (
    <nav className="manual-contents" aria-label={manualTexts.contents}>
      <ol>
        {sections.map(({ title, anchor, level }) => (
          <li key={anchor} className={`contents-${level}`}>
            <Link to={{ hash: anchor }}>{title}</Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
