import type { AccountPosition } from '@tripline/proto/account'
import { numberText } from '../../shared/number-text.ts'
import { paths } from '../../shared/paths.ts'
import { LinkButton } from '../link-button.tsx'
import { accountTexts } from './account-texts.ts'
import './accounts.css'
import { LoadFailure } from '../load-failure.tsx'
import { Panel } from '../panel.tsx'
import { SecondsAgo } from '../seconds-ago.tsx'
import { Profit, SideMark } from './marks.tsx'
import { useAccounts } from './use-accounts.ts'

/** The open positions of all bots at a glance. */
export function PositionsPanel() {
  const { accounts, failure, readAgain, readAt } = useAccounts()
  if (accounts === undefined && failure !== undefined)
    return <LoadFailure title={accountTexts.loadFailure} error={failure} onRetry={readAgain} />
  if (accounts?.length === 0) return null
  const positions = (accounts ?? []).flatMap(({ label, statement }) =>
    (statement?.positions ?? []).map((position) => ({ label, position })),
  )
  const unread = (accounts ?? []).filter(({ statement }) => statement === null)
  return (
    <Panel
      title={accountTexts.title}
      {...(accounts !== undefined && { count: positions.length })}
      actions={
        <>
          {readAt !== undefined && (
            <span className="quiet small">
              <SecondsAgo since={readAt} say={accountTexts.age} />
            </span>
          )}
          <LinkButton size="small" to={paths.positions}>
            {accountTexts.all}
          </LinkButton>
        </>
      }
    >
      {failure !== undefined && <LoadFailure title={accountTexts.old} error={failure} onRetry={readAgain} />}
      <ul className="held-positions">
        {positions.map((each) => (
          <OpenPosition key={`${each.label} ${each.position.symbol} ${each.position.side}`} {...each} />
        ))}
        {unread.map(({ api_key_id: id, label }) => (
          <li key={id} className="quiet">
            {accountTexts.unread(label)}
          </li>
        ))}
        {accounts === undefined && <li className="quiet">{accountTexts.reading}</li>}
        {accounts !== undefined && positions.length === 0 && unread.length === 0 && (
          <li className="quiet">{accountTexts.flat}</li>
        )}
      </ul>
    </Panel>
  )
}

function OpenPosition({ label, position }: { label: string; position: AccountPosition }) {
  const { symbol, side, size, unrealized_pnl: profit } = position
  return (
    <li>
      <strong>{label}</strong>
      <code>{symbol}</code>
      <span>
        <SideMark side={side} /> {numberText(size)}
      </span>
      {profit !== null && (
        <span className="held-profit">
          <span className="quiet">{accountTexts.profit}</span> <Profit amount={profit} />
        </span>
      )}
    </li>
  )
}
