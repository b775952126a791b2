import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useRegisterMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'
import type { BroughtEmail } from './brought-email.ts'
import { type RegistrationForm, readRegistration } from './registration.ts'

/** Registers a person and goes on to the login; `failure` says why the server refused the last try. */
export function useRegistration(focusField: (field: keyof RegistrationForm) => void) {
  const [register, { isLoading }] = useRegisterMutation()
  const [failure, setFailure] = useState<string>()
  const navigate = useNavigate()
  const toast = useToast()

  async function submit(form: RegistrationForm) {
    setFailure(undefined)
    const registration = readRegistration(form)
    if (registration.outcome === 'refused') {
      toast.warning(registration.notice)
      focusField(registration.field)
      return
    }
    try {
      await register(registration.body).unwrap()
      toast.success({ ...texts.register.success, isLeaving: true })
      await navigate(paths.login, {
        state: { registeredEmail: registration.body.email } satisfies BroughtEmail,
      })
    } catch (cause) {
      const description = failureText(cause)
      setFailure(description)
      toast.error({ title: texts.register.failure, description })
    }
  }
  return { submit, failure, isBusy: isLoading }
}
