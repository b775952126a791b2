import type { AccountPosition, AccountReading } from '@tripline/proto/account'
import type { KnownBot } from '@tripline/proto/language/label'
import {
  cancelMessage,
  closeMessage,
  flattenMessage,
  type Held,
  heldSymbols,
  mostBlocks,
} from '../../shared/exit-messages.ts'
import type { Exit } from './exit-dialog.tsx'
import { texts } from './texts.ts'

const { dialog: words } = texts

/** The bot of an account, as messages name it. */
function botOf({ label, exchange }: Pick<AccountReading, 'label' | 'exchange'>): KnownBot {
  return { label, market: exchange.endsWith('spot') ? 'spot' : 'futures' }
}

/** The exit that closes one position. */
export function closeExit(account: AccountReading, position: AccountPosition): Exit {
  const title = words.close(position.symbol, account.label)
  return { title, message: closeMessage(account, position), leftOut: 0 }
}

/** The exit that cancels the orders of a symbol. */
export function cancelExit(account: AccountReading, symbol: string): Exit {
  return { title: words.cancel(symbol, account.label), message: cancelMessage(account, symbol), leftOut: 0 }
}

/** The exit that leaves an account flat and without orders; undefined where it is so already. */
export function flattenExit(account: AccountReading, held: Held): Exit | undefined {
  const message = flattenMessage(botOf(account), held)
  const leftOut = Math.max(0, heldSymbols(held).length - mostBlocks)
  return message === undefined ? undefined : { title: words.flatten(account.label), message, leftOut }
}
