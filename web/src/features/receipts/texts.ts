import type { ReceiptView } from '@tripline/proto/http/receipt'

/** Every text of the receipts. */
export const texts = {
  heading: 'Receipts',
  history: 'Execution History',
  lead: 'Each accepted alert has a receipt, stored apart from the alert itself. Each receipt names the hash of the one before it, so that none can be changed or left out unnoticed.',
  loadFailure: 'Failed to load receipts',
  columns: { number: 'Number', received: 'Received', alert: 'Alert', state: 'State', hash: 'Hash' },
  state: 'State',
  any: 'All',
  states: {
    open: 'open',
    waiting: 'waiting',
    ended: 'ended',
    lost: 'lost',
    unstored: 'not stored',
  } satisfies Record<ReceiptView['state'], string>,
  stateNotes: {
    open: 'Its end is not known yet',
    waiting: 'Nobody has begun it within a minute',
    ended: 'The history has its end',
    lost: 'Storage lost it, and nothing of it is known to have run: check the exchange',
    unstored: 'Its answer was a 503, and it was not stored: nothing of it ran',
  } satisfies Record<ReceiptView['state'], string>,
  problems: 'What does not match',
  none: 'No receipts yet. The first accepted alert gets receipt 1.',
  noMatch: 'No receipt is in this state.',
  copyHash: (number: number): string => `Copy the hash of receipt ${number}`,
  newest: 'Newest',
  older: 'Older',
  pager: 'Pages of receipts',
  exportAll: 'Export',
  exportFailure: 'The receipts could not be exported',
  check: 'Check the chain',
  checking: (count: number): string => `${count} receipts checked…`,
  checkFailure: 'The chain could not be checked',
  noCrypto: 'This browser has no cryptography on pages without HTTPS: export the receipts and check the file',
  noneToCheck: 'There is no receipt to check.',
  whole: (count: number, first: number, last: number): string =>
    `The chain is whole: ${count} receipt${count === 1 ? '' : 's'}, from ${first} to ${last}, each with the hash of its fields and of the one before it.`,
  broken: (reason: string): string => `The chain is broken: ${reason}.`,
}
