import { Alert, Button, Flex, Skeleton } from 'antd'
import { useState } from 'react'
import { useGetMeQuery, useRequestPasswordResetMutation } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { ComingPanel } from './coming-panel.tsx'
import { DisplayPanel } from './display-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { profileTexts } from './texts.ts'
import './profile.css'

/** The person's account, and where it is logged in. */
export function ProfilePage() {
  return (
    <Page title={texts.shell.profile}>
      <div className="columns">
        <div className="stack">
          <AccountPanel />
          <DisplayPanel />
          <PasswordPanel />
          <ComingPanel />
        </div>
        <SessionsPanel />
      </div>
    </Page>
  )
}

const { account } = profileTexts

/** The person's account. */
function AccountPanel() {
  const { data: me } = useGetMeQuery()
  if (me === undefined) return <Skeleton active />
  const rows = [
    [account.email, me.email],
    [account.username, me.username],
    [account.name, `${me.first_name} ${me.last_name}`],
    [account.country, me.country],
    [account.since, me.created_at.slice(0, 10)],
  ] as const
  return (
    <Panel title={account.heading}>
      <dl className="account">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const { password } = profileTexts

/** The way to a new password, by mail as for everybody. */
function PasswordPanel() {
  const { data: me } = useGetMeQuery()
  const [request, { isLoading }] = useRequestPasswordResetMutation()
  const [isSent, setSent] = useState(false)
  const withToast = useCallWithToast()
  async function send(email: string) {
    if (await withToast(request({ email }).unwrap(), { failure: password.failure })) setSent(true)
  }
  return (
    <Panel title={password.heading}>
      <Flex vertical gap={10} align="start">
        <p className="quiet">{password.note}</p>
        <Button loading={isLoading} disabled={me === undefined} onClick={() => me && void send(me.email)}>
          {password.send}
        </Button>
        {isSent && <Alert type="info" showIcon role="status" title={password.sent} />}
      </Flex>
    </Panel>
  )
}
