import type { AccountOrder, AccountPosition, AccountReading } from '@tripline/proto/account'
import type { KnownBot } from '@tripline/proto/language/label'
import {
  cancelMessage,
  closeMessage,
  flattenBlocks,
  messageOf,
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

/** The exit that cancels one order. */
export function cancelExit(account: AccountReading, order: AccountOrder): Exit {
  const title = words.cancel(order.symbol, account.label)
  return { title, message: cancelMessage(account, order), leftOut: 0 }
}

/** The exit that leaves an account flat and without orders; undefined where it is so already. */
export function flattenExit(account: AccountReading): Exit | undefined {
  return exitOf(words.flatten(account.label), blocksOf(account))
}

/** The exit that leaves all accounts flat and without orders; undefined where they are so already. */
export function flattenAllExit(accounts: readonly AccountReading[]): Exit | undefined {
  const exit = exitOf(words.flattenAll, accounts.flatMap(blocksOf))
  return exit && { ...exit, unread: unreadIn(accounts) }
}

/** The bots whose accounts could not be read: nobody knows what is open there. */
export function unreadIn(accounts: readonly AccountReading[]): string[] {
  return accounts.filter(({ statement }) => statement === null).map(({ label }) => label)
}

function blocksOf(account: AccountReading): string[] {
  return account.statement === null ? [] : flattenBlocks(botOf(account), account.statement)
}

function exitOf(title: string, blocks: readonly string[]): Exit | undefined {
  const message = messageOf(blocks)
  return message === undefined
    ? undefined
    : { title, message, leftOut: Math.max(0, blocks.length - mostBlocks) }
}
