import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useToast } from '../../ui/toast.ts'
import { Outcome } from './outcome.tsx'
import { ResetForm } from './reset-form.tsx'
import { SessionFrame } from './session-frame.tsx'
import { useMailedToken } from './use-mailed-token.ts'

/** The page of the password mail's link. */
export function ResetPasswordPage() {
  const token = useMailedToken() ?? ''
  useMissingTokenNotice(token)
  return <Reset key={token} token={token} />
}

function Reset({ token }: { token: string }) {
  const [state, setState] = useState<'form' | 'done' | 'invalid'>(token === '' ? 'invalid' : 'form')
  const { heading } = texts.resetPassword
  const { toSignIn } = texts.forgotPassword
  return (
    <SessionFrame heading={heading} footer={state === 'form' && <Link to={paths.login}>{toSignIn}</Link>}>
      {state === 'form' && (
        <ResetForm token={token} onDone={() => setState('done')} onInvalid={() => setState('invalid')} />
      )}
      {state === 'done' && <Done />}
      {state === 'invalid' && <InvalidLink />}
    </SessionFrame>
  )
}

function useMissingTokenNotice(token: string) {
  const toast = useToast()
  useEffect(() => {
    if (token === '') toast.error({ ...texts.resetPassword.invalidLink, key: 'reset-link' })
  }, [token, toast])
}

const redirectDelayMs = 2000

function Done() {
  const navigate = useNavigate()
  const leave = useEffectEvent(() => void navigate(paths.login))
  useEffect(() => {
    const timer = setTimeout(() => leave(), redirectDelayMs)
    return () => clearTimeout(timer)
  }, [])
  const { doneHeading, done } = texts.resetPassword
  return (
    <Outcome kind="success" heading={doneHeading} text={done}>
      <LinkButton block size="large" type="primary" to={paths.login}>
        {texts.verifyEmail.toLogin}
      </LinkButton>
    </Outcome>
  )
}

function InvalidLink() {
  const { invalidHeading, invalidLink, requestNew } = texts.resetPassword
  return (
    <Outcome kind="failure" heading={invalidHeading} text={invalidLink.description}>
      <LinkButton block size="large" type="primary" to={paths.forgotPassword}>
        {requestNew}
      </LinkButton>
      <LinkButton block size="large" to={paths.login}>
        {texts.forgotPassword.toSignIn}
      </LinkButton>
    </Outcome>
  )
}
