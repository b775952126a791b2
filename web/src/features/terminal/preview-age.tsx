import { useEffect, useState } from 'react'
import { previewTexts } from './texts.ts'

const tickMs = 1000

/** How old a preview is, to the second. */
export function PreviewAge({ answeredAt }: { answeredAt: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - answeredAt) / tickMs))
  return <span className="preview-age">{previewTexts.age(seconds)}</span>
}
