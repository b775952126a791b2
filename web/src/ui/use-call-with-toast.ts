import { useCallback } from 'react'
import { failureList } from '../shared/failure.ts'
import { type Notice, useToast } from './toast.ts'

/** The texts about a call. */
interface CallTexts {
  /** Without one a success speaks for itself. */
  success?: string | Notice
  failure: string
}

/**
 * Waits for a call and shows how it ended, a failure with its reason; returns what it gave, or undefined if it failed.
 */
export type CallWithToast = <T>(call: Promise<T>, texts: CallTexts) => Promise<{ answer: T } | undefined>

/** Shows the ends of calls in notices. */
export function useCallWithToast(): CallWithToast {
  const toast = useToast()
  return useCallback(
    async (call, { success, failure }) => {
      try {
        const answer = await call
        if (success !== undefined) toast.success(typeof success === 'string' ? { title: success } : success)
        return { answer }
      } catch (cause) {
        toast.error({ title: failure, description: failureList(cause) })
        return undefined
      }
    },
    [toast],
  )
}
