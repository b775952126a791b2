import { useState } from 'react'
import { faultOf, joinWaitlist } from './join-waitlist.ts'
import type { Notice } from './notice.ts'
import { useTell } from './notice-board.tsx'

type WaitlistState =
  | { phase: 'idle'; fault?: string }
  | { phase: 'submitting' }
  | { phase: 'joined'; notice: Notice }

/** Where a visitor stands on the way to the waitlist, and the steps there. */
export function useWaitlist() {
  const [state, setState] = useState<WaitlistState>({ phase: 'idle' })
  const [email, setEmail] = useState('')
  const tell = useTell()
  async function join() {
    const fault = faultOf(email.trim())
    if (fault) {
      tell({ tone: 'warning', ...fault })
      return setState({ phase: 'idle', fault: fault.description })
    }
    setState({ phase: 'submitting' })
    const { isJoined, notice } = await joinWaitlist(email.trim())
    tell(notice)
    setState(isJoined ? { phase: 'joined', notice } : { phase: 'idle', fault: notice.title })
  }
  function again() {
    setEmail('')
    setState({ phase: 'idle' })
  }
  return { state, email, setEmail, join, again }
}
