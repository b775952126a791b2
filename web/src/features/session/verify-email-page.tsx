import { Spin } from 'antd'
import { useSearchParams } from 'react-router-dom'
import { useVerifyEmailQuery } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Outcome } from './outcome.tsx'
import { SessionFrame } from './session-frame.tsx'

/** Where the link of the verification mail leads. */
export function VerifyEmailPage() {
  const [query] = useSearchParams()
  const token = query.get('token')
  return (
    <SessionFrame heading={texts.verifyEmail.heading}>
      {token ? <Verification token={token} /> : <Failed reason={texts.verifyEmail.noToken} />}
    </SessionFrame>
  )
}

function Verification({ token }: { token: string }) {
  const { data, error } = useVerifyEmailQuery(token)
  if (data) return <Verified email={data.email} />
  if (error) return <Failed reason={failureText(error, texts.verifyEmail.fallback)} />
  return (
    <div className="session-waiting" role="status">
      <Spin /> {texts.verifyEmail.verifying}
    </div>
  )
}

function Verified({ email }: { email: string }) {
  return (
    <Outcome kind="success" heading={texts.verifyEmail.success} text={email}>
      <LinkButton to={paths.login} isPrimary>
        {texts.verifyEmail.toLogin}
      </LinkButton>
    </Outcome>
  )
}

function Failed({ reason }: { reason: string }) {
  return (
    <Outcome kind="failure" heading={texts.verifyEmail.failed} text={reason}>
      <LinkButton to={paths.register} isPrimary>
        {texts.verifyEmail.registerAgain}
      </LinkButton>
      <LinkButton to={paths.login}>{texts.verifyEmail.goToLogin}</LinkButton>
    </Outcome>
  )
}
