import { Button, Form, Input, Select, type SelectProps } from 'antd'
import type { ReactNode } from 'react'
import { texts } from '../../shared/texts.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { countries } from './countries.ts'
import { FormFailure } from './form-failure.tsx'
import { matchHint } from './match-hint.tsx'
import { isEmail, type RegistrationForm, usernameOf } from './registration.ts'
import { useRegistration } from './use-registration.ts'

interface FieldProps {
  name: keyof RegistrationForm
  label: string
  hint?: ReactNode
  children: ReactNode
}

// A field is not called empty before the person says that they are done.
const required = (label: string) => ({
  required: true,
  message: texts.register.required(label),
  validateTrigger: 'onSubmit',
})

const emailRule = {
  validator: async (_rule: unknown, value: string | undefined) => {
    if (value && !isEmail(value)) throw new Error(texts.register.emailInvalid)
  },
}

function Field({ name, label, hint, children }: FieldProps) {
  return (
    <Form.Item
      name={name}
      label={label}
      rules={name === 'email' ? [required(label), emailRule] : [required(label)]}
      validateTrigger="onBlur"
      extra={hint}
    >
      {children}
    </Form.Item>
  )
}

/** The form that creates an account. */
export function RegisterForm() {
  const [form] = Form.useForm<RegistrationForm>()
  const { submit, failure, isBusy } = useRegistration((field) => form.focusField(field))
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      // The browser's own words would cover ours.
      noValidate
      onFinish={(values) => void submit(values)}
    >
      {failure && <FormFailure text={failure} />}
      <NameFields />
      <EmailFields />
      <PasswordFields />
      <Button type="primary" htmlType="submit" block size="large" loading={isBusy}>
        {texts.register.submit}
      </Button>
    </Form>
  )
}

function NameFields() {
  const { firstName, lastName, country } = texts.register
  return (
    <>
      <div className="session-pair">
        <Field name="first_name" label={firstName}>
          <Input autoComplete="given-name" autoFocus />
        </Field>
        <Field name="last_name" label={lastName}>
          <Input autoComplete="family-name" />
        </Field>
      </div>
      <Field name="country" label={country}>
        <CountrySelect />
      </Field>
    </>
  )
}

function EmailFields() {
  const { email, confirmEmail, emailsMatch, emailMismatch } = texts.register
  const typed = useTyped('email')
  const repeated = useTyped('confirm_email')
  const username = isEmail(typed) ? texts.register.username(usernameOf(typed)) : undefined
  return (
    <>
      <Field name="email" label={email} hint={username}>
        <Input type="email" autoComplete="email" inputMode="email" />
      </Field>
      <Field
        name="confirm_email"
        label={confirmEmail}
        hint={matchHint(typed.trim(), repeated.trim(), { match: emailsMatch, mismatch: emailMismatch })}
      >
        <Input type="email" autoComplete="email" inputMode="email" />
      </Field>
    </>
  )
}

function PasswordFields() {
  const { password, confirmPassword, passwordsMatch, passwordMismatch, passwordShort } = texts.register
  const typed = useTyped('password')
  const repeated = useTyped('confirm_password')
  const short = typed !== '' && typed.length < 8 ? passwordShort.description : undefined
  return (
    <>
      <Field name="password" label={password} hint={short}>
        <PasswordField autoComplete="new-password" />
      </Field>
      <Field
        name="confirm_password"
        label={confirmPassword}
        hint={matchHint(typed, repeated, { match: passwordsMatch, mismatch: passwordMismatch })}
      >
        <PasswordField autoComplete="new-password" />
      </Field>
    </>
  )
}

function useTyped(name: keyof RegistrationForm): string {
  return Form.useWatch<string | undefined>(name) ?? ''
}

const options = countries.map(({ name, Flag }) => ({
  value: name,
  label: (
    <span className="country">
      <Flag aria-hidden="true" />
      {name}
    </span>
  ),
}))

/** Chooses a country by typing its name or from the list. */
function CountrySelect(props: SelectProps<string>) {
  return <Select {...props} showSearch={{ optionFilterProp: 'value' }} options={options} />
}
