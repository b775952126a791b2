import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { landingTexts } from './landing-texts.ts'
import type { Notice } from './notice.ts'

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

const shownMs = { success: 3000, warning: 3000, error: 5000 }

/** One notice, which leaves by itself unless somebody is reading it. */
function NoticeCard({ notice, onDone }: { notice: Notice; onDone: () => void }) {
  const [isPointedAt, setPointedAt] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const isRead = isPointedAt || hasFocus
  useEffect(() => {
    if (isRead) return
    const timer = setTimeout(onDone, shownMs[notice.tone])
    return () => clearTimeout(timer)
  }, [isRead, notice.tone, onDone])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it; its button is how it is closed.
    <div
      className="notice"
      data-tone={notice.tone}
      role={notice.tone === 'success' ? 'status' : 'alert'}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <div>
        <strong>{notice.title}</strong>
        {notice.description !== undefined && <p className="quiet">{notice.description}</p>}
      </div>
      <button type="button" aria-label={landingTexts.notices.close} onClick={onDone}>
        ×
      </button>
    </div>
  )
}
