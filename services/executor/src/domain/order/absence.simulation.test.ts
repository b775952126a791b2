import { describe, expect, test } from '@jest/globals'
import { ExchangeMarket } from '@tripline/proto/exchange'
import { isLongRun, seed } from '@tripline/testkit/seed'
import {
  type AbsenceOutcome,
  simulateAbsence,
  simulateResting,
} from '../../../test/simulation/absence-world.ts'
import {
  type Endpoint,
  endpointsOf,
  hasNoStream,
  type Weakness,
} from '../../../test/simulation/late-venue.ts'

const count = isLongRun ? 200_000 : 10_000
const markets = ExchangeMarket.options

type Simulate = (seed: number, market: ExchangeMarket, weakness?: Weakness) => AbsenceOutcome

describe('reads that are late, lost answers, a stream with gaps and owners that die', () => {
  test.each<[string, Simulate]>([
    ['execute no order twice, and none that is there is reported as failed', simulateAbsence],
    ['let no order that rests be taken for one that ended', simulateResting],
  ])(
    `%s (${count} seeds from ${seed})`,
    (_name, simulate) => {
      for (let drawn = seed; drawn < seed + count; drawn++) {
        const market = markets[drawn % markets.length] ?? 'paper_futures'
        const { faults, diary } = simulate(drawn, market)
        if (faults.length > 0)
          throw new Error([`seed ${drawn}, ${market}: ${faults.join('; ')}`, ...diary].join('\n'))
      }
    },
    3_600_000,
  )

  test.each([
    [
      'binance_futures_usdt',
      'an order is sent again once it is proven absent',
      /everywhere: absent\n[^\n]*sends/,
    ],
    ['binance_spot', 'the stream proves that an order never came', /everywhere: absent\n[^\n]*sends market/],
    [
      'binance_spot',
      'an order is given up, and found out about later',
      /failed E602\n[\s\S]*amended: success/,
    ],
    ['binance_spot', 'an order is given up that never came', /failed E602\n[\s\S]*amended: failed E601/],
    ['bybit', 'an order in doubt is sent at once', /takes over\n[^\n]*sends/],
    [
      'bybit',
      'what refuses an order in doubt was its own doing',
      /sends[^\n]*\n[^\n]*refused\n[\s\S]*success/,
    ],
    ['paper_futures', 'the stream reports an order whose answer is lost', /done by the stream/],
  ] as const)('at %s it happens that %s', (market, _name, happening) => {
    expect(
      firstRun(simulateAbsence, market, {}, ({ diary }) => happening.test(diary.join('\n'))),
    ).toBeDefined()
  })
})

const runs = 10_000

function firstRun(
  simulate: Simulate,
  market: ExchangeMarket,
  weakness: Weakness,
  holds: (outcome: AbsenceOutcome) => boolean,
): AbsenceOutcome | undefined {
  for (let drawn = 1; drawn <= runs; drawn++) {
    const outcome = simulate(drawn, market, weakness)
    if (holds(outcome)) return outcome
  }
  return undefined
}

const isFaulty = ({ faults }: AbsenceOutcome): boolean => faults.length > 0

const real = markets.filter((market) => market !== 'paper_futures' && market !== 'paper_spot')
const streamed = real.filter((market) => !hasNoStream(market))

/** The market's rule with one place less, for each of them. */
const oneLess: [ExchangeMarket, string, Weakness][] = real.flatMap((market) =>
  [false, true]
    .flatMap((hasTrigger) => endpointsOf(market, 'everywhere', hasTrigger))
    .filter((place, index, all) => all.indexOf(place) === index)
    .map((unasked: Endpoint): [ExchangeMarket, string, Weakness] => [
      market,
      `${unasked} is not asked`,
      { unasked },
    ]),
)

const sooner = { readsLagMs: 2000, immediateLagMs: 2000 }

describe('a rule that is weaker is caught', () => {
  test.each<[ExchangeMarket, string, Weakness]>([
    ...oneLess,
    ...markets.map((market): [ExchangeMarket, string, Weakness] => [
      market,
      'an order may still arrive',
      { rule: { ...sooner, engineMs: -3000 } },
    ]),
    ...real.map((market): [ExchangeMarket, string, Weakness] => [
      market,
      'reads are waited for less',
      { rule: sooner },
    ]),
    ...real.map((market): [ExchangeMarket, string, Weakness] => [
      market,
      'an order is looked for by its name alone',
      { rule: { lookIn: 'usual' } },
    ]),
    ...streamed.map((market): [ExchangeMarket, string, Weakness] => [
      market,
      'a stream with a gap counts',
      { ignoresGaps: true },
    ]),
    ...streamed.map((market): [ExchangeMarket, string, Weakness] => [
      market,
      'the stream is not asked',
      { ignoresReports: true },
    ]),
    ['binance_futures_usdt', 'the stream is not waited for', { rule: { streamReportsMs: 0 } }],
    ['binance_spot', 'the engine is not waited for', { rule: { engineMs: 0 } }],
    ['binance_spot', 'a market order is sent again by what reads say', { rule: { immediateLagMs: 20_000 } }],
    ['binance_spot', 'a name is believed to be taken once', { rule: { areNamesUnique: true } }],
    ['binance_futures_usdt', 'a name is believed to be taken once', { rule: { areNamesUnique: true } }],
    ['okx', 'a name is believed to be taken once', { rule: { areNamesUnique: true } }],
    ['okx', 'the engine is not waited for', { rule: { engineMs: 0 } }],
    ['paper_futures', 'a name is believed to be taken once', { rule: { areNamesUnique: true } }],
    ['bybit', 'what refuses an order in doubt is believed', { believesRefusals: true }],
    ['bybit_spot', 'what refuses an order in doubt is believed', { believesRefusals: true }],
  ])('at %s, where %s', (market, _name, weakness) => {
    expect(firstRun(simulateAbsence, market, weakness, isFaulty)).toBeDefined()
  })

  test.each(real)('at %s, where an order that rests is taken for canceled on a read that lags', (market) => {
    expect(
      firstRun(simulateResting, market, { rule: { ...sooner, lookIn: 'usual' } }, isFaulty),
    ).toBeDefined()
  })
})
