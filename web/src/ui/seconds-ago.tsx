import { useEffect, useState } from 'react'

const tickMs = 1000

/** The time since a moment, to the second, in these words; `since` is in ms since the epoch. */
export function SecondsAgo({ since, say }: { since: number; say: (seconds: number) => string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return say(Math.max(0, Math.floor((now - since) / tickMs)))
}
