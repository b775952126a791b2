import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'
import { LoginForm } from './login-form.tsx'
import { SessionFrame } from './session-frame.tsx'

/** Where a person logs in. */
export function LoginPage() {
  useExpiryNotice()
  return (
    <SessionFrame
      heading={texts.login.heading}
      footer={
        <>
          {texts.login.noAccount} <Link to={paths.register}>{texts.login.signUp}</Link>
        </>
      }
    >
      <LoginForm />
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
