import { useEffect, useState } from 'react'
import { landingTexts } from './landing-texts.ts'
import type { Notice } from './notice.ts'

const shownMs = { success: 3000, warning: 3000, error: 5000 }

/** One notice, which leaves by itself unless somebody is reading it. */
export function NoticeCard({ notice, onDone }: { notice: Notice; onDone: () => void }) {
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
        {notice.description !== undefined && <p>{notice.description}</p>}
      </div>
      <button type="button" aria-label={landingTexts.notices.close} onClick={onDone}>
        ×
      </button>
    </div>
  )
}
