import type { BlockPlan } from '@tripline/proto/plan'
import { useEffect, useState } from 'react'
import { usePreviewCommandsMutation } from '../../shared/client.ts'

// A plan asks the exchange, so not every letter does.
const pauseMs = 450

/** What is known of what a message would do. */
export interface Preview {
  /** Still the one before while a newer one is asked for. */
  plan: readonly BlockPlan[]
  isAsking: boolean
  hasFailed: boolean
  again: () => void
}

const noPlan: readonly BlockPlan[] = []

/** What a message would do now, asked for when the writing pauses; nothing of one that is not worth asking. */
export function usePreview(message: string, isWorthAsking: boolean, occasion: unknown): Preview {
  const [ask] = usePreviewCommandsMutation()
  const [preview, setPreview] = useState({ plan: noPlan, isAsking: false, hasFailed: false })
  const [times, setTimes] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was executed since, and the button, ask anew.
  useEffect(() => {
    if (!isWorthAsking) return setPreview({ plan: noPlan, isAsking: false, hasFailed: false })
    setPreview((last) => ({ ...last, isAsking: true }))
    const leaving = new AbortController()
    const pause = setTimeout(async () => {
      const asked = ask({ message })
      leaving.signal.addEventListener('abort', () => asked.abort())
      const { data } = await asked
      if (leaving.signal.aborted) return
      setPreview({ plan: data?.plan ?? noPlan, isAsking: false, hasFailed: data === undefined })
    }, pauseMs)
    return () => {
      clearTimeout(pause)
      leaving.abort()
    }
  }, [ask, message, isWorthAsking, occasion, times])
  return { ...preview, again: () => setTimes((count) => count + 1) }
}
