import { Button, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { texts } from '../../shared/texts.ts'
import { CountrySelect } from './country-select.tsx'
import { isEmail, type RegistrationForm } from './registration.ts'
import { useRegistration } from './use-registration.ts'

interface FieldProps {
  name: keyof RegistrationForm
  label: string
  children: ReactNode
}

// Nobody is told that a field is empty before they say that they are done.
const required = { required: true, message: texts.register.required, validateTrigger: 'onSubmit' }

const emailRule = {
  validator: async (_rule: unknown, value: string | undefined) => {
    if (value && !isEmail(value)) throw new Error(texts.register.emailInvalid)
  },
}

function Field({ name, label, children }: FieldProps) {
  return (
    <Form.Item
      name={name}
      label={label}
      rules={name === 'email' ? [required, emailRule] : [required]}
      validateTrigger="onBlur"
    >
      {children}
    </Form.Item>
  )
}

/** The form that creates an account. */
export function RegisterForm() {
  const { submit, isBusy } = useRegistration()
  const { register } = texts
  return (
    <Form<RegistrationForm>
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      onFinish={(form) => void submit(form)}
    >
      <div className="session-pair">
        <Field name="first_name" label={register.firstName}>
          <Input autoComplete="given-name" autoFocus />
        </Field>
        <Field name="last_name" label={register.lastName}>
          <Input autoComplete="family-name" />
        </Field>
      </div>
      <Field name="country" label={register.country}>
        <CountrySelect />
      </Field>
      <Field name="email" label={register.email}>
        <Input type="email" autoComplete="email" />
      </Field>
      <Field name="confirm_email" label={register.confirmEmail}>
        <Input type="email" autoComplete="email" />
      </Field>
      <Field name="password" label={register.password}>
        <Input.Password autoComplete="new-password" />
      </Field>
      <Field name="confirm_password" label={register.confirmPassword}>
        <Input.Password autoComplete="new-password" />
      </Field>
      <Button type="primary" htmlType="submit" block size="large" loading={isBusy}>
        {register.submit}
      </Button>
    </Form>
  )
}
