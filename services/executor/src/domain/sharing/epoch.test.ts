import { describe, expect, test } from '@jest/globals'
import { expectationOf, rowWord, type SeenEpoch, seeEpoch, showsLoss } from './epoch.ts'

const row = { partition: 3, epoch: 7, owner: 'one', renewal: 4 }
const seen: SeenEpoch = { ...row, unchangedSince: 1000, isGone: false }
const mine = { claimant: 'me', releasedEpoch: undefined }

describe('a row', () => {
  test.each([
    ['of nobody', undefined, mine, 1000, { epoch: 0, renewal: 0 }],
    ['that was silent for a little less than 3.5 s', seen, mine, 4499, undefined],
    ['that was silent for 3.5 s', seen, mine, 4500, { epoch: 7, renewal: 4 }],
    ['of one that is gone', { ...seen, isGone: true }, mine, 1000, { epoch: 7, renewal: 4 }],
    ['of the claimant', { ...seen, owner: 'me' }, mine, 1000, { epoch: 7, renewal: 4 }],
    ['of which the bus says that it was let go', seen, { ...mine, releasedEpoch: 7 }, 1000, { epoch: 7 }],
    ['of which it says so of a later epoch', seen, { ...mine, releasedEpoch: 8 }, 1000, { epoch: 8 }],
    ['of which it says so of an earlier epoch', seen, { ...mine, releasedEpoch: 6 }, 1000, undefined],
  ])('%s is claimed as it is expected: %#', (_name, of, asked, at, expected) => {
    expect(expectationOf(of, asked, at)).toEqual(expected)
  })

  test.each([
    ['that was not renewed', 4, 0, 1000],
    ['that was renewed just now', 5, 0, 9000],
    ['that was renewed some time before it was seen', 5, 300, 8700],
    ['whose database has another clock', 5, 60_000, 8500],
    ['whose database has a clock that is behind', 5, -60_000, 9000],
  ])('%s is unchanged since', (_name, renewal, ageMs, since) => {
    expect(seeEpoch(seen, { ...row, renewal, ageMs }, false, 9000).unchangedSince).toBe(since)
  })

  test.each([
    ['its own', { ...row, owner: 'me' }, 'mine'],
    ['its own under an epoch that was given back', { ...row, owner: 'me', epoch: 9 }, 'mine'],
    ['one that another claimed only', { ...row, epoch: 8, renewal: 0 }, 'taken'],
    ['one that another renews', { ...row, epoch: 8, renewal: 1 }, 'lost'],
    ['one of an earlier epoch, out of a back-up', { ...row, epoch: 6, renewal: 9 }, 'taken'],
  ])('says to a holder of epoch 7, being %s: %#', (_name, of, word) => {
    expect(rowWord(of, 'me', 7)).toBe(word)
  })
})

test.each([
  ['its own', { owner: 'me', isReleased: false, epoch: 7 }, false],
  ['its own of an earlier epoch, let go of', { owner: 'me', isReleased: true, epoch: 6 }, false],
  ['missing', undefined, false],
  ['of another and an earlier epoch', { owner: 'one', isReleased: false, epoch: 6 }, false],
  ['of another and a later epoch', { owner: 'one', isReleased: false, epoch: 8 }, true],
  ['of another that knows no epochs', { owner: 'one', isReleased: true, epoch: undefined }, true],
])('a lease that is %s shows the holder of epoch 7 a loss: %#', (_name, lease, isLost) => {
  expect(showsLoss(lease, 'me', 7)).toBe(isLost)
})
