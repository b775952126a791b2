import { useState } from 'react'
import { faultOf, joinWaitlist } from './join-waitlist.ts'
import type { Notice } from './notice.ts'
import { useShowNotice } from './notice-board.tsx'

type WaitlistPhase =
  | { phase: 'idle'; fault?: string }
  | { phase: 'submitting' }
  | { phase: 'joined'; notice: Notice }

/** Returns a visitor's progress on the way to the waitlist, and the steps there. */
export function useWaitlist() {
  const [state, setState] = useState<WaitlistPhase>({ phase: 'idle' })
  const [email, setEmail] = useState('')
  const showNotice = useShowNotice()
  async function join() {
    const fault = faultOf(email.trim())
    if (fault) {
      showNotice({ tone: 'warning', ...fault })
      return setState({ phase: 'idle', fault: fault.description })
    }
    setState({ phase: 'submitting' })
    const { isJoined, notice } = await joinWaitlist(email.trim())
    showNotice(notice)
    setState(isJoined ? { phase: 'joined', notice } : { phase: 'idle', fault: notice.title })
  }
  function again() {
    setEmail('')
    setState({ phase: 'idle' })
  }
  return { state, email, setEmail, join, again }
}
