import type { LoginBody } from '@tripline/proto/http/auth'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useLazyGetMeQuery, useLoginMutation } from '../../shared/client.ts'
import { failureCode, failureText, isUnanswered } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'
import { storeTokens } from '../../shared/tokens.ts'
import { useToast } from '../../ui/toast.ts'
import { browserTokens, keepBrowserToken } from './browser-tokens.ts'
import { redirectTarget } from './redirect-target.ts'

/** Why a login did not succeed. */
interface LoginFailure {
  text: string
  code: string | undefined
  email: string
}

/** Opens a session and goes where the person wanted to be; `failure` says why the last try did not. */
export function useLogin(onFailure: () => void) {
  const [login] = useLoginMutation()
  const [fetchMe] = useLazyGetMeQuery()
  const [failure, setFailure] = useState<LoginFailure>()
  const [isBusy, setBusy] = useState(false)
  const { search } = useLocation()
  const navigate = useNavigate()
  const toast = useToast()

  async function openSession(credentials: LoginBody) {
    setBusy(true)
    setFailure(undefined)
    try {
      const opened = await login({ ...credentials, browser_tokens: browserTokens() }).unwrap()
      storeTokens(opened)
      keepBrowserToken(opened.browser_token)
      await fetchMe().unwrap()
      toast.success({ title: texts.login.success })
      await navigate(redirectTarget(search, location.origin), { replace: true })
    } catch (cause) {
      const text = failureText(cause, texts.login.failure.fallback)
      // Without an answer nobody has looked at the credentials.
      const shown = isUnanswered(cause) ? texts.outage.noAnswer : text
      setFailure({ text: shown, code: failureCode(cause), email: credentials.email })
      setBusy(false)
      toast.error({ title: texts.login.failure.title, description: text })
      onFailure()
    }
  }
  return { openSession, failure, isBusy }
}
