import { useCallback } from 'react'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'

/** Puts a text on the clipboard and says so. */
export function useCopy(): (text: string) => void {
  const toast = useToast()
  return useCallback(
    (text) => {
      navigator.clipboard.writeText(text).then(
        () => toast.success({ title: texts.general.copied }),
        () => toast.error({ title: texts.general.copyFailed }),
      )
    },
    [toast],
  )
}
