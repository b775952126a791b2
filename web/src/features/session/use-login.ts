import type { LoginBody } from '@tripline/proto/http/auth'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useLazyGetMeQuery, useLoginMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'
import { storeTokens } from '../../shared/tokens.ts'
import { useToast } from '../../ui/toast.ts'
import { redirectTarget } from './redirect-target.ts'

/** Opens a session and goes where the person wanted to be; `failure` tells why the last try did not. */
export function useLogin() {
  const [login] = useLoginMutation()
  const [fetchMe] = useLazyGetMeQuery()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { search } = useLocation()
  const navigate = useNavigate()
  const toast = useToast()

  async function openSession(credentials: LoginBody) {
    setBusy(true)
    setFailure(undefined)
    try {
      storeTokens(await login(credentials).unwrap())
      await fetchMe().unwrap()
      toast.success({ title: texts.login.success })
      await navigate(redirectTarget(search, location.origin), { replace: true })
    } catch (cause) {
      const reason = failureText(cause, texts.login.failure.fallback)
      setFailure(reason)
      setBusy(false)
      toast.error({ title: texts.login.failure.title, description: reason })
    }
  }
  return { openSession, failure, isBusy }
}
