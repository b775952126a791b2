import { Alert } from 'antd'
import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { ResendLink } from './resend-link.tsx'

/** Says where the verification link went, above the login that follows a registration. */
export function VerificationSent({ email }: { email: string }) {
  const { heading, sent, missing, wrongEmail, registerAgain } = texts.verificationSent
  return (
    <Alert
      type="success"
      role="region"
      aria-label={heading}
      title={<h2>{heading}</h2>}
      description={
        <>
          <p>
            {sent} <strong>{email}</strong>.
          </p>
          <p className="quiet">{missing}</p>
          <ResendLink email={email} />
          <p className="quiet">
            {wrongEmail} <Link to={paths.register}>{registerAgain}</Link>
          </p>
        </>
      }
    />
  )
}
