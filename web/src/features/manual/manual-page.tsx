import { Button, Empty, Input } from 'antd'
import { useDeferredValue, useState } from 'react'
import markdown from '../../../../docs/commands.md?raw'
import { texts } from '../../shared/texts.ts'
import { Page } from '../../ui/page.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { Contents } from './contents.tsx'
import './manual.css'
import { ManualSection } from './manual-section.tsx'
import { readManual, searchSections } from './sections.ts'
import { manualTexts } from './texts.ts'
import { useAnchor } from './use-anchor.ts'

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
