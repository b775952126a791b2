import { createOwnFills, notingFills } from '../account/own-fills.ts'
import { withUpdates } from '../account/published-calls.ts'
import { readFailure } from '../http/refusal.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { createAccount, unfitness } from './account.ts'
import { openClient } from './client.ts'
import type { CcxtDialect } from './dialect.ts'
import { listMarkets } from './library-form.ts'
import { createOrders } from './orders.ts'

/** Opens a venue that has no fast path of ours: through the library, and a dialect for what its unified form leaves out. */
export async function openCcxtVenue(options: VenueOptions, dialect: CcxtDialect): Promise<OpenedVenue> {
  const client = await openClient(options, dialect)
  const { endpoint, library } = client
  const markets = listMarkets(library, dialect)
  const fills = createOwnFills(endpoint.now)
  const updates = endpoint.orderUpdatesOf(`${options.credentials.apiKey} ${dialect.kind}`)
  const { publisher, listen, changed, shown } = updates.get()
  const stopListening = listen(notingFills(fills))
  const { listOpen, ...orders } = createOrders(client, dialect, markets)
  const account = createAccount(client, dialect, { fills, markets })
  const answered = async <Answer>(ask: () => Promise<Answer>) => {
    try {
      await shown()
      return { outcome: 'read', ...(await ask()) } as const
    } catch (error) {
      return unfitness(error) ?? readFailure(error, dialect.codes)
    }
  }
  return {
    client: library,
    tryKey: async () => await client.ask(async () => await library.fetchPositionMode()),
    stop: () => {
      stopListening()
      updates.leave()
    },
    venue: {
      market: (symbol) => markets.get(symbol)?.market,
      clockAheadMs: endpoint.aheadMs,
      symbols: () => [...markets.keys()],
      ...withUpdates(orders, publisher, 'early', changed),
      openOrders: async (symbol) =>
        await answered(async () => ({ orders: (await listOpen(symbol)).map(({ order }) => order) })),
      statement: async () =>
        await answered(async () => ({ statement: await account.statement(await listOpen()) })),
      read: async (symbol, { areSettingsAsked } = {}) => {
        const market = markets.get(symbol)
        if (market === undefined)
          return { outcome: 'refused', code: 'E401', error: 'The symbol is not listed' }
        return await answered(async () => ({ account: await account.read(market, areSettingsAsked) }))
      },
      changeSettings: account.changeSettings,
      quotes: endpoint.quotes(dialect.kind, account.quoteOf),
    },
  }
}
