import { useNavigate } from 'react-router-dom'
import { useRegisterMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'
import { type RegistrationForm, readRegistration } from './registration.ts'

/** Registers a person and goes on to the login. */
export function useRegistration() {
  const [register, { isLoading }] = useRegisterMutation()
  const navigate = useNavigate()
  const toast = useToast()

  async function submit(form: RegistrationForm) {
    const registration = readRegistration(form)
    if (registration.outcome === 'refused') {
      toast.warning(registration.notice)
      return
    }
    try {
      await register(registration.body).unwrap()
      toast.success(texts.register.success)
      await navigate(paths.login)
    } catch (cause) {
      toast.error({ title: texts.register.failure, description: failureText(cause) })
    }
  }
  return { submit, isBusy: isLoading }
}
