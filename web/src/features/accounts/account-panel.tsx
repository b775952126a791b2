import type { AccountReading } from '@tripline/proto/account'
import { Button } from 'antd'
import { exchangeName } from '../../shared/exchange-name.ts'
import { coinText } from '../../shared/number-text.ts'
import { accountTexts } from '../../ui/accounts/account-texts.ts'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Exit } from './exit-dialog.tsx'
import { cancelExit, closeExit, flattenExit } from './exits.ts'
import { numberOrNone } from './number-or-none.ts'
import { OrderList } from './order-list.tsx'
import { PositionList } from './position-list.tsx'
import { texts } from './texts.ts'

interface AccountPanelProps {
  account: AccountReading
  onExit: (exit: Exit) => void
}

/** One bot's account at its exchange. */
export function AccountPanel({ account, onExit }: AccountPanelProps) {
  const { label, exchange, is_testnet, statement } = account
  return (
    <Panel title={label} actions={<FlattenButton account={account} onExit={onExit} />}>
      <p className="account-facts">
        <span className="quiet">{exchangeName(exchange)}</span>
        {is_testnet && <span className="quiet">{texts.testnet}</span>}
        {statement !== null && <Money statement={statement} />}
      </p>
      {statement === null ? (
        <Unread account={account} />
      ) : (
        <Statement account={account} statement={statement} onExit={onExit} />
      )}
    </Panel>
  )
}

type Read = NonNullable<AccountReading['statement']>

function Money({ statement: { equity, available } }: { statement: Read }) {
  return (
    <>
      <Fact name={texts.equity} amount={equity} />
      <Fact name={texts.available} amount={available} />
    </>
  )
}

function Fact({ name, amount }: { name: string; amount: string | null }) {
  return (
    <span>
      <span className="quiet">{name}</span> <strong>{numberOrNone(amount, 2)}</strong>
    </span>
  )
}

function Unread({ account: { label, exchange, error, error_code: code } }: { account: AccountReading }) {
  return (
    <div className="account-unread" role="status">
      <p>{error ?? accountTexts.unread(label)}</p>
      <CodeHelp code={code} message={error} exchange={exchange} />
    </div>
  )
}

function Statement({ account, statement, onExit }: AccountPanelProps & { statement: Read }) {
  const { positions, orders, orders_left_out: leftOut, balances } = statement
  return (
    <>
      <h3 className="subheading">{texts.positions}</h3>
      <PositionList
        label={account.label}
        positions={positions}
        onClose={(position) => onExit(closeExit(account, position))}
      />
      <h3 className="subheading">{texts.orders}</h3>
      <OrderList
        label={account.label}
        orders={orders}
        leftOut={leftOut}
        onCancel={(order) => onExit(cancelExit(account, order))}
      />
      <h3 className="subheading">{texts.balances}</h3>
      <ul className="account-balances">
        {balances.map(({ coin, total, free }) => (
          <li key={coin}>
            <strong>{coinText(total, coin)}</strong>{' '}
            <span className="quiet">{texts.free(coinText(free, coin))}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function FlattenButton({ account, onExit }: AccountPanelProps) {
  const exit = flattenExit(account)
  if (exit === undefined) return null
  return (
    <Button size="small" aria-label={texts.flattenOf(account.label)} onClick={() => onExit(exit)}>
      {texts.flatten}
    </Button>
  )
}
