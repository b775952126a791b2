import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import type { AccountReading } from '@tripline/proto/account'
import { Button, Flex } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { closesEverything, paths } from '../../shared/paths.ts'
import { accountTexts } from '../../ui/accounts/account-texts.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import '../../ui/accounts/accounts.css'
import { Profit } from '../../ui/accounts/marks.tsx'
import { useAccounts } from '../../ui/accounts/use-accounts.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecondsAgo } from '../../ui/seconds-ago.tsx'
import { AccountPanel } from './account-panel.tsx'
import { type Exit, ExitDialog } from './exit-dialog.tsx'
import { flattenAllExit, unreadIn } from './exits.ts'
import './positions.css'
import { texts } from './texts.ts'
import { totalsOf } from './totals.ts'

/** Every bot's account at its exchange: positions, open orders, balances. */
export function PositionsPage() {
  const { failure, accounts, readAgain } = useAccounts()
  const title = accounts === undefined ? accountTexts.loadFailure : accountTexts.old
  return (
    <Page title={texts.heading} aside={<ReadAgain />}>
      <div className="stack">
        {failure !== undefined && <LoadFailure title={title} error={failure} onRetry={readAgain} />}
        <Accounts />
      </div>
    </Page>
  )
}

function Accounts() {
  const { accounts, failure } = useAccounts()
  const [exit, setExit] = useState<Exit>()
  const everything = useCloseEverything()
  if (accounts === undefined)
    return failure === undefined ? <div className="framed accounts-skeleton" /> : null
  if (accounts.length === 0) return <NoAccounts />
  const all = flattenAllExit(accounts)
  const shown = everything.isWanted ? all : exit
  const leave = () => (everything.isWanted ? everything.leave() : setExit(undefined))
  return (
    <>
      {everything.isWanted && all === undefined && <NothingToClose unread={unreadIn(accounts)} />}
      {accounts.length > 1 && <AllBots accounts={accounts} />}
      {accounts.map((account) => (
        <AccountPanel key={account.api_key_id} account={account} onExit={setExit} />
      ))}
      {shown !== undefined && <ExitDialog exit={shown} onClose={leave} />}
    </>
  )
}

function AllBots({ accounts }: { accounts: readonly AccountReading[] }) {
  const { positions, orders, profit } = totalsOf(accounts)
  const unread = unreadIn(accounts)
  return (
    <p className="account-facts">
      <strong>{texts.inAll}</strong>
      <span className="quiet">{texts.counts(positions, orders)}</span>
      {unread.length > 0 && <span className="quiet">{texts.without(unread.join(', '))}</span>}
      {profit !== null && (
        <span>
          <span className="quiet">{texts.columns.profit}</span> <Profit amount={profit} />
        </span>
      )}
    </p>
  )
}

function NothingToClose({ unread }: { unread: readonly string[] }) {
  const { nothing, unread: leftOut } = texts.dialog
  return (
    <p className="quiet" role="status">
      {unread.length > 0 ? leftOut(unread.join(', ')) : nothing}
    </p>
  )
}

/** Whether somebody came here to close everything, as the address was brought along. */
function useCloseEverything() {
  const navigate = useNavigate()
  const { state }: { state: Partial<typeof closesEverything> | null } = useLocation()
  const goWith = (carried: object | null) => void navigate(paths.positions, { replace: true, state: carried })
  return {
    isWanted: state?.closesEverything === true,
    ask: () => goWith(closesEverything),
    leave: () => goWith(null),
  }
}

function CloseEverything() {
  const { accounts = [] } = useAccounts()
  const { ask } = useCloseEverything()
  if (flattenAllExit(accounts) === undefined) return null
  return (
    <Button size="small" onClick={ask}>
      {texts.flattenAll}
    </Button>
  )
}

function NoAccounts() {
  const { title, text, action } = texts.empty
  return (
    <Panel title={title}>
      <p className="quiet">{text}</p>
      <p>
        <LinkButton size="small" to={paths.apiKeys}>
          {action}
        </LinkButton>
      </p>
    </Panel>
  )
}

function ReadAgain() {
  const { readAt, isReading, readAgain } = useAccounts()
  return (
    <Flex className="read-again small" gap={10} align="center">
      <CloseEverything />
      {readAt !== undefined && (
        <span className="quiet">
          <SecondsAgo since={readAt} say={accountTexts.age} />
        </span>
      )}
      <Button size="small" icon={<ReloadOutlined spin={isReading} aria-hidden="true" />} onClick={readAgain}>
        {texts.readAgain}
      </Button>
    </Flex>
  )
}
