import { type SubmitEvent, useId, useState } from 'react'
import { faultOf, joinWaitlist } from './join-waitlist.ts'
import { landingTexts } from './landing-texts.ts'
import type { Notice } from './notice.ts'
import { useShowNotice } from './notice-board.tsx'

const { waitlist } = landingTexts

/** An email field for the waitlist, and the outcome of the email. */
export function WaitlistForm() {
  const { state, email, setEmail, join, again } = useWaitlist()
  const id = useId()
  if (state.phase === 'joined') return <Joined notice={state.notice} onAgain={again} />
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void join()
  }
  const fault = state.phase === 'idle' ? state.fault : undefined
  return (
    // Its own words answer an empty field, so the browser does not check.
    <form className="waitlist" noValidate onSubmit={submit}>
      <label htmlFor={id}>{waitlist.email}</label>
      <div className="waitlist-row">
        <input
          id={id}
          type="email"
          required
          autoComplete="email"
          placeholder={waitlist.placeholder}
          value={email}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-fault`}
          onChange={(event) => setEmail(event.target.value)}
        />
        <button type="submit" className="button button-primary" disabled={state.phase === 'submitting'}>
          {state.phase === 'submitting' ? waitlist.submitting : waitlist.submit}
        </button>
      </div>
      <p id={`${id}-fault`} className="waitlist-fault">
        {fault}
      </p>
    </form>
  )
}

function Joined({ notice, onAgain }: { notice: Notice; onAgain: () => void }) {
  return (
    <div className="waitlist-joined">
      <p role="status">
        <strong>{notice.title}</strong> {notice.description}
      </p>
      <button type="button" className="button" onClick={onAgain}>
        {waitlist.another}
      </button>
    </div>
  )
}

type WaitlistPhase =
  | { phase: 'idle'; fault?: string }
  | { phase: 'submitting' }
  | { phase: 'joined'; notice: Notice }

/** Returns a visitor's progress on the way to the waitlist, and the steps there. */
function useWaitlist() {
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
