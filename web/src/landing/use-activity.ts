import { useEffect, useState } from 'react'
import { type ActivityLine, readPublicEvent, withEvent } from './activity-lines.ts'
import { followActivity } from './follow-activity.ts'

/** Returns the present events of everybody's alerts, oldest first, and whether the connection is open. */
export function useActivity(): { lines: readonly ActivityLine[]; isLive: boolean } {
  const [lines, setLines] = useState<readonly ActivityLine[]>([])
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    let newest: string | undefined
    let since: string | undefined
    const onState = (isOpen: boolean) => {
      since = newest
      setLive(isOpen)
    }
    const onText = (text: string) => {
      const event = readPublicEvent(text)
      if (event === undefined) return
      const before = since
      if (event.type !== 'connected') newest = event.timestamp
      setLines((shown) => withEvent(shown, event, before))
    }
    void followActivity({ onState, onText }, leaving.signal)
    return () => leaving.abort()
  }, [])
  return { lines, isLive }
}
