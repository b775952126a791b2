import { expect, test } from '@jest/globals'
import { ciede2000, contrast, rgbOf } from './color.ts'

// From the table of test values of Sharma, Wu and Dalal.
test.each([
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, 0, 0], [50, -1, 2], 2.3669],
  [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
  [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
] as const)('the difference of %j and %j is %d', (one, other, expected) => {
  expect(ciede2000(one, other)).toBeCloseTo(expected, 4)
})

test('black on white has the greatest contrast there is', () => {
  expect(contrast(rgbOf('#000'), rgbOf('#ffffff'))).toBeCloseTo(21)
})
