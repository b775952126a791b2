import { expect, test } from '@jest/globals'
import { RefusalError } from '../../http/refusal.ts'
import { bandPriceNow } from './spot-band-price.ts'

type Answers = Readonly<Record<string, () => unknown>>

/** The band price as it is asked for, and what was asked. */
async function asked(streamed: string | null | undefined, answers: Answers) {
  const questions: string[] = []
  const get = async (path: string, params?: object) => {
    const name = path.replace('/api/v3/', '')
    questions.push(`${name} ${JSON.stringify(params)}`)
    return answers[name]?.()
  }
  const price = await bandPriceNow({ get }, 'BTCUSDT', 'read', streamed)
  return { price, questions }
}

const ofBtc = JSON.stringify({ symbol: 'BTCUSDT' })
const reference = `referencePrice ${ofBtc}`
const average = `avgPrice ${ofBtc}`
const refused = (code: number) => () => {
  throw new RefusalError({ code, text: 'no', status: 400 })
}
const answers: Answers = {
  referencePrice: () => ({ symbol: 'BTCUSDT', referencePrice: '60003.18000000', timestamp: 1 }),
  avgPrice: () => ({ mins: 5, price: '59990.00000000', closeTime: 1 }),
}
const without: Answers = { ...answers, referencePrice: () => ({ referencePrice: null }) }
const never: Answers = { ...answers, referencePrice: refused(-2043) }
const unasked: Answers = { ...answers, referencePrice: () => Promise.reject(new TypeError('fetch failed')) }

test.each([
  ['that a stream sends is not asked for', '60001', answers, { price: '60001', questions: [] }],
  ['is the reference price', undefined, answers, { price: '60003.18', questions: [reference] }],
  ['without one is the average', undefined, without, { price: '59990', questions: [reference, average] }],
  ['that never had one, too', undefined, never, { price: '59990', questions: [reference, average] }],
  [
    'of which it cannot be asked, too',
    undefined,
    unasked,
    { price: '59990', questions: [reference, average] },
  ],
  ['without one by its stream, at once', null, answers, { price: '59990', questions: [average] }],
  [
    'of a market without trades is not known',
    null,
    { avgPrice: () => ({ price: '0.00000000' }) },
    { price: null, questions: [average] },
  ],
] as const)('the band price of a market %s', async (_name, streamed, given, expected) => {
  expect(await asked(streamed, given)).toEqual(expected)
})

test('a market of which neither can be asked is not judged', async () => {
  await expect(asked(undefined, { ...never, avgPrice: refused(-1003) })).rejects.toThrow('-1003')
})
