import { Button, Empty, Input } from 'antd'
import { useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import markdown from '../../../../docs/commands.md?raw'
import { texts } from '../../shared/texts.ts'
import { Page } from '../../ui/page.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { ManualSection } from './manual-section.tsx'
import { readManual, type Section, searchSections } from './sections.ts'
import { manualTexts } from './texts.ts'
import './manual.css'

const sections = readManual(markdown, manualTexts.overview)

/** The guide to the language of alerts, to be looked up by command and by code. */
export function ManualPage() {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const found = searchSections(sections, search)
  const drawn = useBatches(sections.length)
  const shown = found.slice(0, drawn)
  useAnchor(shown.length, () => setTyped(''))
  const find = (text: string) => {
    setTyped(text)
    // Search results begin at the top.
    scrollTo({ top: 0 })
  }
  return (
    <Page title={texts.shell.manual}>
      <div className="manual">
        <div className="manual-side">
          <Input
            type="search"
            allowClear
            aria-label={manualTexts.search}
            placeholder={manualTexts.search}
            value={typed}
            onChange={(event) => find(event.target.value)}
          />
          {found.length > 0 && <Contents sections={found} />}
        </div>
        <article className="manual-text">
          {shown.map((section) => (
            <ManualSection key={section.anchor} {...section} />
          ))}
          {found.length === 0 && (
            <div role="status">
              <Empty image={null} description={manualTexts.nothing(search)}>
                <Button onClick={() => setTyped('')}>{manualTexts.clear}</Button>
              </Empty>
            </div>
          )}
        </article>
      </div>
    </Page>
  )
}

/** The sections of the manual, each leading to its place. */
function Contents({ sections }: { sections: readonly Section[] }) {
  return (
    <nav className="manual-contents" aria-label={manualTexts.contents}>
      <ol className="manual-links">
        {sections.map(({ title, anchor, level }) => (
          <li key={anchor} className={`contents-${level}`}>
            <Link to={{ hash: anchor }}>{title}</Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Goes to the place that the address names, once it is drawn; a search that hides it ends. */
function useAnchor(shown: number, endSearch: () => void): void {
  const { hash, key } = useLocation()
  const visited = useRef<string>(undefined)
  const visit = useEffectEvent(() => {
    if (hash === '' || visited.current === key) return
    const element = document.getElementById(hash.slice(1))
    if (element === null) return endSearch()
    visited.current = key
    element.scrollIntoView()
    element.focus({ preventScroll: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each section that is shown may have the place
  useEffect(visit, [hash, key, shown])
}
