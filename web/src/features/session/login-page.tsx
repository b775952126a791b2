import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'
import { useBroughtEmail } from './brought-email.ts'
import { LoginForm } from './login-form.tsx'
import { SessionFrame } from './session-frame.tsx'
import { VerificationSent } from './verification-sent.tsx'

/** The page of the login. */
export function LoginPage() {
  useExpiryNotice()
  const { registeredEmail, verifiedEmail } = useBroughtEmail()
  return (
    <SessionFrame
      heading={texts.login.heading}
      footer={
        <>
          {texts.login.noAccount} <Link to={paths.register}>{texts.login.signUp}</Link>
        </>
      }
    >
      {registeredEmail !== undefined && <VerificationSent email={registeredEmail} />}
      <LoginForm email={registeredEmail ?? verifiedEmail} hasResend={registeredEmail !== undefined} />
    </SessionFrame>
  )
}

function useExpiryNotice() {
  const { search } = useLocation()
  const toast = useToast()
  useEffect(() => {
    const isExpired = new URLSearchParams(search).get('session') === 'expired'
    if (isExpired) toast.warning({ ...texts.session.expired, key: 'session-expired' })
  }, [search, toast])
}
