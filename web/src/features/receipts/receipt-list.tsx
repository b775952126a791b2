import type { ReceiptView } from '@tripline/proto/http/receipt'
import { Fragment } from 'react'
import { useHasCards } from '../../shared/use-media.ts'
import { AlertPart, HashPart, LostPart, ReceivedPart, StatePart } from './receipt-parts.tsx'
import { texts } from './texts.ts'

const columns = Object.entries(texts.columns)

interface ReceiptListProps {
  receipts: readonly ReceiptView[]
}

/** Receipts as rows of a table, or as cards where that has no room. */
export function ReceiptList({ receipts }: ReceiptListProps) {
  return useHasCards() ? <ReceiptCards receipts={receipts} /> : <ReceiptTable receipts={receipts} />
}

function ReceiptTable({ receipts }: ReceiptListProps) {
  return (
    <table className="framed framed-table receipt-table">
      <thead>
        <tr>
          {columns.map(([key, name]) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {receipts.map((receipt) => (
          <Fragment key={receipt.number}>
            <tr>
              <td>{receipt.number}</td>
              <td>
                <ReceivedPart instant={receipt.received_at} />
              </td>
              <td>
                <AlertPart id={receipt.alert_id} />
              </td>
              <td>
                <StatePart state={receipt.state} />
              </td>
              <td>
                <HashPart receipt={receipt} />
              </td>
            </tr>
            {receipt.message !== null && (
              <tr>
                <td colSpan={columns.length}>
                  <LostPart message={receipt.message} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function ReceiptCards({ receipts }: ReceiptListProps) {
  return (
    <ol className="receipt-cards">
      {receipts.map((receipt) => (
        <li key={receipt.number} className="framed receipt-card">
          <p>
            <strong>{receipt.number}</strong>
            <StatePart state={receipt.state} />
            <span className="panel-space" />
            <HashPart receipt={receipt} />
          </p>
          <p className="small">
            <ReceivedPart instant={receipt.received_at} />
            <AlertPart id={receipt.alert_id} />
          </p>
          <LostPart message={receipt.message} />
        </li>
      ))}
    </ol>
  )
}
