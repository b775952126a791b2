import { beforeEach, describe, expect, test } from '@jest/globals'
import { now } from '@tripline/kit/time/clock'
import type { BotId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { accountReading, btcusdt } from '../../test/btcusdt.ts'
import type { Reading } from '../domain/account/account.ts'
import type { Closes } from '../domain/group/closing.ts'
import type { Venue } from '../venue/venue.ts'
import { type ClosedPositions, createClosedPositions } from './closed-positions.ts'

const botId = 'bot' as BotId
const laterBot = 'later bot' as BotId
const sale = { side: 'sell', filled: '0.1' } as const

let running: ReturnType<typeof exit>[]
let ended: string[]
let reportedPosition: string | undefined
let readings: (() => Reading)[]
let asked: number
let laterAsked = 0
let closed: ClosedPositions
beforeEach(() => {
  running = []
  ended = []
  reportedPosition = undefined
  readings = []
  asked = 0
  const venue: Pick<Venue, 'market' | 'positionNow' | 'read'> = {
    market: () => btcusdt,
    positionNow: () => reportedPosition,
    read: async () => {
      asked++
      const [next, ...others] = readings
      if (others.length > 0) readings = others
      if (next === undefined) throw new Error('the account was read')
      return next()
    },
  }
  const laterVenue: typeof venue = {
    ...venue,
    positionNow: () => undefined,
    read: async () => {
      laterAsked++
      return holding('0.1')()
    },
  }
  closed = createClosedPositions({
    running: {
      ofBot: (id) => running.filter(({ subject }) => subject.botId === id),
      at: (place) =>
        running.filter(({ subject }) => subject.botId === place.botId && subject.symbol === place.symbol),
    },
    venueOf: (id) => (id === laterBot ? laterVenue : venue) as Venue,
    log: testLog('closed'),
  })
})

const holding = (position: string) => (): Reading => ({
  outcome: 'read',
  account: accountReading({ position }),
})

function exit(name: string, change: Partial<Closes> = {}, shownFrom = 0) {
  let closes: Closes | undefined = {
    side: 'long',
    positionSide: 'both',
    isHeld: true,
    isEnding: false,
    ...change,
  }
  return {
    subject: { botId, symbol: 'BTCUSDT' },
    shownFrom,
    closes: () => closes,
    sawHeld: () => {
      closes = closes && { ...closes, isHeld: true }
    },
    endClosed: async () => {
      ended.push(name)
      closes = undefined
      return true
    },
  }
}

const untilAsked = async (times: number): Promise<unknown> => await waitFor(() => asked >= times)
/** Settles once everything that was due was looked at: before what another bot has is, which is due later. */
async function untilLooked(): Promise<void> {
  running.push({ ...exit('later'), subject: { botId: laterBot, symbol: 'BTCUSDT' } })
  const before = laterAsked
  closed.check(laterBot)
  await waitFor(() => laterAsked > before)
  running = running.filter(({ subject }) => subject.botId !== laterBot)
}

describe('an exit for a position', () => {
  test('is ended as the stream reports that the position is closed, and nothing is asked', async () => {
    running.push(exit('one'), exit('other'))
    reportedPosition = '0'
    closed.receive(botId, sale)
    await waitFor(() => ended.length === 2)
    await untilLooked()
    expect(asked).toBe(0)
  })

  test('is ended where a reading shows that it is closed, which is asked for until there is one', async () => {
    running.push(exit('one'))
    readings = [() => ({ outcome: 'unreachable', cause: 'no answer' }), holding('0')]
    closed.receive(botId, sale)
    await waitFor(() => ended.length === 1)
    expect(asked).toBe(2)
  })

  test('is not looked at where it is being ended already', async () => {
    running.push(exit('one', { isEnding: true }))
    closed.check(botId)
    await untilLooked()
    expect([asked, ended]).toEqual([0, []])
  })

  test('stays while something of it is held', async () => {
    running.push(exit('one'))
    reportedPosition = '0.05'
    readings = [holding('0.05')]
    closed.receive(botId, sale)
    await untilAsked(1)
    await untilLooked()
    expect(ended).toEqual([])
  })

  test('stays where an order trades that could not have closed it, or did not trade', async () => {
    running.push(exit('one'))
    reportedPosition = '0'
    closed.receive(botId, { ...sale, side: 'buy' })
    closed.receive(botId, { ...sale, filled: '0' })
    closed.receive('another' as BotId, sale)
    await untilLooked()
    expect(ended).toEqual([])
  })

  test('is ended also where the stream did not report the closing', async () => {
    running.push(exit('one', { side: 'short' }))
    readings = [holding('0')]
    closed.check(botId)
    await waitFor(() => ended.length === 1)
  })

  test('is not that for another position, decided on as the account was read already', async () => {
    running.push(exit('old'))
    readings = [
      () => {
        running.push(exit('new'))
        return holding('0')()
      },
    ]
    closed.receive(botId, sale)
    await waitFor(() => ended.length === 1)
    await untilLooked()
    expect(ended).toEqual(['old'])
  })

  test('stays where no position is known, until something was held', async () => {
    running.push(exit('one', { isHeld: false }))
    readings = [holding('0')]
    closed.check(botId)
    await untilAsked(1)
    await untilLooked()
    expect(ended).toEqual([])
    readings = [holding('0.1')]
    closed.check(botId)
    await untilAsked(2)
    await untilLooked()
    readings = [holding('0')]
    closed.check(botId)
    await waitFor(() => ended.length === 1)
  })

  test('of a former owner is ended only once readings show all that it knew', async () => {
    running.push(exit('one', {}, now() + 1500))
    reportedPosition = '0'
    readings = [holding('0')]
    closed.check(botId)
    await untilAsked(1)
    await untilLooked()
    expect(ended).toEqual([])
    await waitFor(() => ended.length === 1)
  })
})
