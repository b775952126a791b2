import { Button, Checkbox, Form } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useToast } from '../../ui/toast.ts'
import { FormFailure } from './form-failure.tsx'
import { matchHint } from './match-hint.tsx'
import { Outcome } from './outcome.tsx'
import { SessionFrame } from './session-frame.tsx'
import { StrengthMeter } from './strength-meter.tsx'
import { useMailedToken } from './use-mailed-token.ts'
import { useReset } from './use-reset.ts'

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

interface ResetFormProps {
  token: string
  onDone: () => void
  /** The link is no longer good. */
  onInvalid: () => void
}

interface ResetValues {
  password: string
  confirm: string
  newWebhookAddress: boolean
}

/** The form that sets a new password. */
function ResetForm({ token, onDone, onInvalid }: ResetFormProps) {
  const [form] = Form.useForm<ResetValues>()
  const { password = '', confirm = '' } = Form.useWatch([], form) ?? {}
  const { reset, failure, isBusy } = useReset(token, { onDone, onInvalid })
  const { resetPassword: words } = texts
  const missing = missingOf(password, confirm)
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      onFinish={({ newWebhookAddress }) => void reset(password, newWebhookAddress)}
    >
      <Form.Item
        name="password"
        label={words.password}
        extra={password === '' ? undefined : <StrengthMeter password={password} />}
      >
        <PasswordField autoComplete="new-password" autoFocus />
      </Form.Item>
      <Form.Item name="confirm" label={words.confirm} extra={matchHint(password, confirm, words)}>
        <PasswordField autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        className="session-choice"
        name="newWebhookAddress"
        valuePropName="checked"
        initialValue={true}
        extra={words.newWebhookAddressHint}
      >
        <Checkbox>{words.newWebhookAddress}</Checkbox>
      </Form.Item>
      {/* Beside what was pressed: on a phone a notice may lie over the beginning of the form. */}
      {failure && <FormFailure text={failure} />}
      <Button
        type="primary"
        htmlType="submit"
        block
        size="large"
        loading={isBusy}
        disabled={missing.length > 0}
        aria-describedby="reset-waits-for"
      >
        {words.submit}
      </Button>
      <p id="reset-waits-for" className="quiet small session-reason">
        {missing.length > 0 && words.waitsFor(missing)}
      </p>
    </Form>
  )
}

/** Returns the faults that keep the new password from being set. */
function missingOf(password: string, confirm: string): string[] {
  const { atLeast, equal } = texts.resetPassword
  return [password.length < 8 && atLeast, (password === '' || password !== confirm) && equal].filter(
    (thing) => thing !== false,
  )
}
