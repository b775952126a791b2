import { useCallback } from 'react'
import { texts } from '../shared/texts.ts'
import { useToast } from './toast.ts'

/** Puts a text on the clipboard and says so; returns whether it is there. */
export function useCopy(): (text: string) => Promise<boolean> {
  const toast = useToast()
  return useCallback(
    async (text) => {
      try {
        await navigator.clipboard.writeText(text)
        toast.success({ title: texts.general.copied })
        return true
      } catch {
        toast.error({ title: texts.general.copyFailed })
        return false
      }
    },
    [toast],
  )
}
