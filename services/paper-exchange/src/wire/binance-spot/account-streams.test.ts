import { expect, test } from '@jest/globals'
import { createExchange } from '../../exchange.ts'
import { createFaults } from '../../store/faults.ts'
import { createLedger } from '../../store/ledger.ts'
import { createQuotes } from '../../store/quotes.ts'
import { forgetful } from '../../store/state-file.ts'
import { createFeed } from '../feed.ts'
import { createOpenSockets } from '../open-sockets.ts'
import type { Peer } from '../socket.ts'
import { createAccountStreams } from './account-streams.ts'

test('a client that is gone by the time its request is answered gets nothing', () => {
  const exchange = createExchange(createLedger(), createQuotes({}), forgetful.writer)
  const entry = exchange.open(new Map(), 1)
  const sockets = createOpenSockets()
  const streams = createAccountStreams({
    exchange,
    feed: createFeed('binance-spot', createFaults(), sockets),
  })
  const peer: Peer = { send: () => {}, close: () => {} }
  sockets.add(peer, 'binance-spot', '/ws-api/v3')
  expect(streams.subscribe(peer, entry)).toBe(0)
  expect(streams.list(peer)).toEqual([{ id: 0, entry }])
  sockets.forget(peer)
  streams.unsubscribe(peer)
  streams.subscribe(peer, entry)
  expect(streams.list(peer)).toEqual([])
})
