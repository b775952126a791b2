import { useEffect } from 'react'
import { failureText } from '../shared/failure.ts'
import { useToast } from './toast.ts'

/** Says in a notice that something could not be loaded, each time that it could not; the key is that of the notice. */
export function useFailureNotice(key: string, title: string, error: unknown): void {
  const toast = useToast()
  useEffect(() => {
    if (error !== undefined) toast.error({ title, description: failureText(error), key })
  }, [key, title, error, toast])
}
