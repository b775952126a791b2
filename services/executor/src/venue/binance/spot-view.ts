import type { LibraryClient } from '../library-client.ts'
import { createSharing } from '../shared-at.ts'
import type { VenueOptions } from '../venue.ts'
import { type Books, noBooks, openBooks } from './books.ts'
import type { Markets } from './client.ts'
import { spotCodes } from './codes.ts'
import { createReadings, type ReadAccount, type Readings } from './readings.ts'
import { askSpotAccount, readSpot, type SpotAnswers } from './spot-reading.ts'

const shareBooks = createSharing<Books>()

/** The readings of a spot account that nobody asked for yet. */
export function createSpotReadings(
  account: ReadAccount,
  { client, markets }: { client: LibraryClient; markets: Markets },
): Readings {
  const books = booksFor(account.options)
  return createReadings<SpotAnswers>(account, {
    codes: spotCodes,
    askAccount: async (ask) => await askSpotAccount(client, ask),
    readFor: async (view, symbol, need) => {
      const sources = {
        client,
        desk: account.desk,
        view,
        books: need.scope === undefined ? noBooks : books.get(),
      }
      return await readSpot(sources, { symbol, market: markets.get(symbol) }, need)
    },
    refreshMore: async () => undefined,
    onSettings: () => undefined,
    leave: books.leave,
  })
}

/** The books where public streams are; without these every price is asked for. */
function booksFor({ connections, pricesUrl, log }: VenueOptions): { get: () => Books; leave: () => void } {
  if (pricesUrl === undefined) return { get: () => noBooks, leave: () => undefined }
  return shareBooks(connections, pricesUrl, () => openBooks(`${pricesUrl}/stream`, log))
}
