import type { Exchange } from '../exchange.ts'
import { type Answer, json } from '../wire/message.ts'
import { accountPage, accountsPage } from './account-page.ts'
import { describeBalances, describeEntry, describeFills } from './describe-account.ts'

const SHOWN_FILLS = 50

/** Every account, newest first. */
export function listAccounts({ ledger }: Exchange, wantsPage: boolean): Answer {
  const rows = [...ledger.entries.values()]
    .toReversed()
    .map((entry) => ({ apiKey: entry.apiKey, openedAt: entry.openedAt, balances: describeBalances(entry) }))
  return wantsPage ? accountsPage(rows) : json(200, rows)
}

/** One account: JSON for programs, a page for browsers. */
export function showAccount(exchange: Exchange, apiKey: string, wantsPage: boolean): Answer {
  const entry = exchange.ledger.entries.get(apiKey)
  if (!entry) return json(404, { detail: 'Not found' })
  const view = describeEntry(exchange, entry)
  return wantsPage ? accountPage(view, describeFills(entry, SHOWN_FILLS)) : json(200, view)
}
