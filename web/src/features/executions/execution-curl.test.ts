import { expect, test } from '@jest/globals'
import { curlOf } from './execution-curl.ts'

test('a message is sent again as it was, quotes and all, without the token', () => {
  expect(curlOf('https://x.example', `MyBot(BTCUSDT) { cancel(tag='a') }`)).toBe(
    [
      'curl "https://x.example/webhook/$WEBHOOK_TOKEN" \\',
      "  -H 'content-type: text/plain; charset=utf-8' \\",
      `  --data-binary 'MyBot(BTCUSDT) { cancel(tag='\\''a'\\'') }'`,
    ].join('\n'),
  )
})
