import type { AccountPosition } from '@tripline/proto/account'
import { Link } from 'react-router-dom'
import { numberText } from '../../shared/number-text.ts'
import { paths } from '../../shared/paths.ts'
import { accountTexts } from '../../ui/accounts/account-texts.ts'
import '../../ui/accounts/accounts.css'
import { Profit } from '../../ui/accounts/profit.tsx'
import { SideMark } from '../../ui/accounts/side-mark.tsx'
import { useAccounts } from '../../ui/accounts/use-accounts.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecondsAgo } from '../../ui/seconds-ago.tsx'
import { texts } from './texts.ts'

const { positions: words } = texts

/** The open positions of all bots at a glance. */
export function PositionsPanel() {
  const { accounts, failure, readAgain, readAt } = useAccounts()
  if (accounts === undefined && failure !== undefined)
    return <LoadFailure title={accountTexts.loadFailure} error={failure} onRetry={readAgain} />
  if (accounts?.length === 0) return null
  const held = (accounts ?? []).flatMap(({ label, statement }) =>
    (statement?.positions ?? []).map((position) => ({ label, position })),
  )
  const unread = (accounts ?? []).filter(({ statement }) => statement === null)
  return (
    <Panel
      title={words.title}
      {...(accounts !== undefined && { count: held.length })}
      actions={
        <>
          {readAt !== undefined && (
            <span className="quiet positions-age">
              <SecondsAgo since={readAt} say={accountTexts.age} />
            </span>
          )}
          <Link className="action" to={paths.positions}>
            {words.all}
          </Link>
        </>
      }
    >
      {failure !== undefined && <LoadFailure title={accountTexts.old} error={failure} onRetry={readAgain} />}
      <ul className="held-positions">
        {held.map((each) => (
          <HeldPosition key={`${each.label} ${each.position.symbol} ${each.position.side}`} {...each} />
        ))}
        {unread.map(({ api_key_id: id, label }) => (
          <li key={id} className="quiet">
            {accountTexts.unread(label)}
          </li>
        ))}
        {accounts === undefined && <li className="quiet">{words.reading}</li>}
        {accounts !== undefined && held.length === 0 && unread.length === 0 && (
          <li className="quiet">{accountTexts.flat}</li>
        )}
      </ul>
    </Panel>
  )
}

function HeldPosition({ label, position }: { label: string; position: AccountPosition }) {
  const { symbol, side, size, unrealized_pnl: profit } = position
  return (
    <li>
      <strong>{label}</strong>
      <code>{symbol}</code>
      <span>
        <SideMark side={side} /> {numberText(size)}
      </span>
      <Profit amount={profit} />
    </li>
  )
}
