import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useGetMeQuery, useRequestPasswordResetMutation } from '../../shared/client.ts'
import { Panel } from '../../ui/panel.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { profileTexts } from './texts.ts'

const { password } = profileTexts

/** The way to a new password, by mail as for everybody. */
export function PasswordPanel() {
  const { data: me } = useGetMeQuery()
  const [request, { isLoading }] = useRequestPasswordResetMutation()
  const [isSent, setSent] = useState(false)
  const withToast = useCallWithToast()
  async function send(email: string) {
    if (await withToast(request({ email }).unwrap(), { failure: password.failure })) setSent(true)
  }
  return (
    <Panel title={password.heading}>
      <p className="quiet">{password.note}</p>
      <div className="password-reset">
        <Button loading={isLoading} disabled={me === undefined} onClick={() => me && void send(me.email)}>
          {password.send}
        </Button>
        {isSent && <Alert type="info" showIcon role="status" title={password.sent} />}
      </div>
    </Panel>
  )
}
