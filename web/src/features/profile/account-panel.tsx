import { Skeleton } from 'antd'
import { useGetMeQuery } from '../../shared/client.ts'
import { Panel } from '../../ui/panel.tsx'
import { profileTexts } from './texts.ts'

const { account } = profileTexts

/** The person's account. */
export function AccountPanel() {
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
