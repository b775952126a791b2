import { useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import type { BroughtEmail } from './brought-email.ts'
import { NewLinkForm } from './new-link-form.tsx'
import { Outcome } from './outcome.tsx'
import { SessionFrame } from './session-frame.tsx'
import { useMailedToken } from './use-mailed-token.ts'
import { VerifyForm } from './verify-form.tsx'

/** The page of the verification mail's link. */
export function VerifyEmailPage() {
  const token = useMailedToken()
  return token === undefined ? (
    <SessionFrame heading={texts.verifyEmail.heading}>
      <Failed reason={texts.verifyEmail.noToken} />
    </SessionFrame>
  ) : (
    <Verification key={token} token={token} />
  )
}

function Verification({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<{ email: string } | { reason: string }>()
  const { heading, subheading, notMine, registerOwn } = texts.verifyEmail
  if (outcome === undefined) {
    const footer = (
      <>
        {notMine} <Link to={paths.register}>{registerOwn}</Link>
      </>
    )
    return (
      <SessionFrame heading={heading} subheading={subheading} footer={footer}>
        <VerifyForm
          token={token}
          onVerified={(email) => setOutcome({ email })}
          onDead={(reason) => setOutcome({ reason })}
        />
      </SessionFrame>
    )
  }
  return (
    <SessionFrame heading={heading}>
      {'email' in outcome ? <Verified email={outcome.email} /> : <Failed reason={outcome.reason} />}
    </SessionFrame>
  )
}

function Verified({ email }: { email: string }) {
  return (
    <Outcome kind="success" heading={texts.verifyEmail.success} text={email}>
      <LinkButton
        block
        size="large"
        type="primary"
        to={paths.login}
        state={{ verifiedEmail: email } satisfies BroughtEmail}
      >
        {texts.verifyEmail.toLogin}
      </LinkButton>
    </Outcome>
  )
}

function Failed({ reason }: { reason: string }) {
  return (
    <Outcome kind="failure" heading={texts.verifyEmail.failed} text={reason}>
      <NewLinkForm />
      <LinkButton block size="large" to={paths.login}>
        {texts.verifyEmail.goToLogin}
      </LinkButton>
      <LinkButton block size="large" to={paths.register}>
        {texts.verifyEmail.registerAgain}
      </LinkButton>
    </Outcome>
  )
}
