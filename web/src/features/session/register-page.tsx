import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { RegisterForm } from './register-form.tsx'
import { SessionFrame } from './session-frame.tsx'

/** The page that creates an account. */
export function RegisterPage() {
  return (
    <SessionFrame
      heading={texts.register.heading}
      subheading={texts.register.subheading}
      footer={
        <>
          {texts.register.haveAccount} <Link to={paths.login}>{texts.register.signIn}</Link>
        </>
      }
    >
      <RegisterForm />
    </SessionFrame>
  )
}
