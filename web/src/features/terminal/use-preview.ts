import type { BlockPlan } from '@tripline/proto/plan'
import { useEffect, useState } from 'react'
import { usePreviewCommandsMutation } from '../../shared/client.ts'

// A plan asks the exchange, so not every letter does.
const pauseMs = 450

interface Answer {
  message: string
  plan: readonly BlockPlan[]
  hasFailed: boolean
  /** In ms since 1970; undefined where nobody answered. */
  answeredAt: number | undefined
}

/** The known plan of a message. */
export interface Preview extends Omit<Answer, 'message'> {
  /** A plan of this message is not there yet, or was asked for by the person; the one before is still shown. */
  isAsking: boolean
  again: () => void
}

const nothing: Answer = { message: '', plan: [], hasFailed: false, answeredAt: undefined }

/**
 * Returns the plan of a message, asked for when the writing pauses and with each rise of `occasion`; none of one that
 * is not worth asking.
 */
export function usePreview(message: string, isWorthAsking: boolean, occasion: number): Preview {
  const [ask] = usePreviewCommandsMutation()
  const [answer, setAnswer] = useState(nothing)
  const [times, setTimes] = useState({ asked: 0, answered: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: occasions and the button ask anew.
  useEffect(() => {
    if (!isWorthAsking) return setAnswer(nothing)
    const leaving = new AbortController()
    const pause = setTimeout(async () => {
      const asked = ask({ message })
      leaving.signal.addEventListener('abort', () => asked.abort())
      const { data } = await asked
      if (leaving.signal.aborted) return
      setTimes(({ asked }) => ({ asked, answered: asked }))
      setAnswer(
        data === undefined
          ? { ...nothing, message, hasFailed: true }
          : { message, plan: data.plan, hasFailed: false, answeredAt: Date.now() },
      )
    }, pauseMs)
    return () => {
      clearTimeout(pause)
      leaving.abort()
    }
  }, [ask, message, isWorthAsking, occasion, times.asked])
  return {
    ...answer,
    isAsking: isWorthAsking && (answer.message !== message || times.asked !== times.answered),
    again: () => setTimes(({ asked, answered }) => ({ asked: asked + 1, answered })),
  }
}
