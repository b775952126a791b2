import { VenueError } from '../binance/errors.ts'
import { keyed, type Route, type SignedCall } from '../binance/route.ts'
import type { ListenKeys } from './listen-keys.ts'

function unknownKey(): VenueError {
  return new VenueError(-1125, 'This listenKey does not exist.')
}

/** Routes that open, prolong and close the stream of an account. */
export function keyRoutes(keys: ListenKeys): ReadonlyArray<readonly [string, Route]> {
  const extend = ({ entry, now }: SignedCall) => {
    const listenKey = keys.extend(entry.apiKey, now)
    if (listenKey === undefined) throw unknownKey()
    return { listenKey }
  }
  const close = ({ entry, now }: SignedCall) => {
    if (!keys.close(entry.apiKey, now)) throw unknownKey()
    return {}
  }
  return [
    ['POST /fapi/v1/listenKey', keyed(1, ({ entry, now }) => ({ listenKey: keys.open(entry.apiKey, now) }))],
    ['PUT /fapi/v1/listenKey', keyed(1, extend)],
    ['DELETE /fapi/v1/listenKey', keyed(1, close)],
  ]
}
