import { describe, expect, test } from '@jest/globals'
import { BusUrl, parseBusUrl } from './bus-address.ts'

describe('the address of the bus', () => {
  test.each([
    ['nats://one:4222', ['one:4222']],
    ['nats://one', ['one']],
    ['nats://one:4222,nats://two:4222, nats://[::1]:4222', ['one:4222', 'two:4222', '[::1]:4222']],
    ['nats://one:4222,nats://one:4222', ['one:4222']],
  ])('%s has its servers', (text, servers) => {
    expect(parseBusUrl(text)).toEqual({ servers, credentials: {} })
  })

  test('has one user with its password, whatever is in them', () => {
    const credentials = { user: 'a,b', pass: 'p@ss' }
    expect(parseBusUrl('nats://a%2Cb:p%40ss@one:4222,nats://a%2Cb:p%40ss@two:4222')).toEqual({
      servers: ['one:4222', 'two:4222'],
      credentials,
    })
  })

  test.each(['', 'one:4222', 'nats://one:4222,', 'nats://one:4222;nats://two:4222', 'http://one', 'nats://'])(
    '%j is none',
    (text) => expect(BusUrl.safeParse(text).success).toBe(false),
  )

  test('names the fault in it and no password', () => {
    const wrong = ['nats://user:CANARY@one:4222,two:4222', 'nats://user:CANARY@one:4222,nats://two:4222']
    const messages = wrong.map((text) => BusUrl.safeParse(text).error?.message ?? '')
    expect(messages[0]).toContain('is not a list of addresses')
    expect(messages[1]).toContain('other credentials')
    expect(messages.join()).not.toContain('CANARY')
  })
})
