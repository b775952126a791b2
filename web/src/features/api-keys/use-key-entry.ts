import type { KeyView } from '@tripline/proto/http/key'
import { useState } from 'react'
import { z } from 'zod'
import { useTestKeyMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { texts } from './texts.ts'

/** A key in the list: it can be tested, and what the last test found opens below it. */
export function useKeyEntry(bot: KeyView) {
  const [isOpen, setOpen] = useState(false)
  const { run, isRunning } = useKeyTest(bot)
  return {
    isOpen: isOpen && bot.last_test !== null,
    isTesting: isRunning,
    toggle: () => setOpen((before) => !before),
    test: () => {
      void run().then(() => setOpen(true))
    },
  }
}

const { connection: words } = texts

const FailedReply = z.object({ data: z.object({ error: z.string(), message: z.string() }).partial() })

/** Tries a key at its exchange and says how that went; the answer is stored with the key. */
function useKeyTest(key: KeyView) {
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
