import type { KeyView } from '@tripline/proto/http/key'
import { z } from 'zod'
import { useTestKeyMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { texts } from './texts.ts'

const { connection: words } = texts

const FailedReply = z.object({ data: z.object({ error: z.string(), message: z.string() }).partial() })

/** Tries a key at its exchange and says how that went; the answer is kept with the key. */
export function useKeyTest(key: KeyView) {
  const [test, { isLoading }] = useTestKeyMutation()
  const toast = useToast()
  async function run() {
    try {
      const { success, message, error } = await test(key.id).unwrap()
      if (success) toast.success({ title: words.success, description: message || words.works })
      else toast.error({ title: words.failure, description: error || message || words.fallback })
    } catch (cause) {
      toast.error({ title: words.failure, description: failureOf(cause) })
    }
  }
  return { run, isRunning: isLoading }
}

function failureOf(cause: unknown): string {
  const reply = FailedReply.safeParse(cause).data?.data
  return reply?.error || reply?.message || failureText(cause, words.fallback)
}
