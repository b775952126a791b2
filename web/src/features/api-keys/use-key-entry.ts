import type { KeyView } from '@tripline/proto/http/key'
import { useState } from 'react'
import { useKeyTest } from './use-key-test.ts'

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
