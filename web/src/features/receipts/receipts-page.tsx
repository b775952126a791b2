import type { ReceiptPage } from '@tripline/proto/http/receipt'
import { receiptStates } from '@tripline/proto/intake-request'
import { Alert, Button, Empty } from 'antd'
import { Link, useSearchParams } from 'react-router-dom'
import { useListReceiptsQuery } from '../../shared/client.ts'
import { alertPath, paths } from '../../shared/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page } from '../../ui/page.tsx'
import { ZoneName } from '../../ui/zone-name.tsx'
import { ChainActions } from './chain-check.tsx'
import { ReceiptList } from './receipt-list.tsx'
import './receipts.css'
import { texts } from './texts.ts'

const lookMs = 10_000

/** The receipts of accepted alerts. State and page are the address. */
export function ReceiptsPage() {
  const [params, setParams] = useSearchParams()
  const state = receiptStates.find((name) => name === params.get('state'))
  const before = Number(params.get('before')) || undefined
  const asked = { ...(state && { state }), ...(before && { before }) }
  const { data, error, refetch } = useListReceiptsQuery(asked, {
    pollingInterval: lookMs,
    skipPollingIfUnfocused: true,
  })
  const go = (next: { state?: string; before?: number }) =>
    setParams(Object.entries(next).map(([name, value]): [string, string] => [name, String(value)]))
  return (
    <Page title={texts.heading} aside={<LinkButton to={paths.executions}>{texts.history}</LinkButton>}>
      <p className="quiet receipts-lead">{texts.lead}</p>
      <ChainActions />
      {error !== undefined && (
        <LoadFailure title={texts.loadFailure} error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && <Problems problems={data.problems} />}
      <div className="receipts-head">
        <StateField value={state ?? ''} onChange={(value) => go(value === '' ? {} : { state: value })} />
        <span className="panel-space" />
        <ZoneName />
      </div>
      {data?.receipts.length === 0 && (
        <Empty image={null} description={state === undefined ? texts.none : texts.noMatch} />
      )}
      {data !== undefined && data.receipts.length > 0 && <ReceiptList receipts={data.receipts} />}
      {data !== undefined && (
        <Pager
          isFirst={before === undefined}
          next={data.next_before}
          onGo={(to) => go({ ...(state && { state }), ...(to !== undefined && { before: to }) })}
        />
      )}
    </Page>
  )
}

function StateField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="receipts-state small">
      <span className="quiet">{texts.state}</span>
      <select className="plain-field" value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{texts.any}</option>
        {receiptStates.map((name) => (
          <option key={name} value={name}>
            {texts.states[name]}
          </option>
        ))}
      </select>
    </label>
  )
}

function Problems({ problems }: Pick<ReceiptPage, 'problems'>) {
  if (problems.length === 0) return null
  const list = (
    <ul>
      {problems.map(({ kind, alert_id, text }) => (
        <li key={`${alert_id} ${kind}`}>
          <Link to={alertPath(alert_id)}>{alert_id}</Link>: {text}
        </li>
      ))}
    </ul>
  )
  return <Alert type="warning" showIcon title={texts.problems} description={list} />
}

interface PagerProps {
  isFirst: boolean
  next: number | null
  onGo: (before: number | undefined) => void
}

function Pager({ isFirst, next, onGo }: PagerProps) {
  const go = (before: number | undefined) => {
    onGo(before)
    scrollTo({ top: 0 })
  }
  return (
    <nav className="receipts-pager" aria-label={texts.pager}>
      <Button size="small" disabled={isFirst} onClick={() => go(undefined)}>
        ‹ {texts.newest}
      </Button>
      <Button size="small" disabled={next === null} onClick={() => go(next ?? undefined)}>
        {texts.older} ›
      </Button>
    </nav>
  )
}
