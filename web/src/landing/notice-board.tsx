import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { landingTexts } from './landing-texts.ts'
import type { Notice } from './notice.ts'
import { NoticeCard } from './notice-card.tsx'

const ShowNotice = createContext<(notice: Notice) => void>(() => undefined)

/** Shows a notice in the corner of the page. */
export function useShowNotice(): (notice: Notice) => void {
  return useContext(ShowNotice)
}

const shownAtOnce = 3

/** The page, with a corner for notices. */
export function NoticeBoard({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly (Notice & { id: number })[]>([])
  const showNotice = useMemo(() => {
    let count = 0
    return (notice: Notice) => {
      count += 1
      const numbered = { ...notice, id: count }
      setNotices((shown) => [...shown, numbered].slice(-shownAtOnce))
    }
  }, [])
  const remove = (id: number) => setNotices((shown) => shown.filter((notice) => notice.id !== id))
  return (
    <ShowNotice value={showNotice}>
      {children}
      <section className="notices" aria-label={landingTexts.notices.label}>
        {notices.map((notice) => (
          <NoticeCard key={notice.id} notice={notice} onDone={() => remove(notice.id)} />
        ))}
      </section>
    </ShowNotice>
  )
}
