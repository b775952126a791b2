import { randomUUID } from 'node:crypto'
import type { ClientOrderId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { openBinanceFutures } from '../src/venue/binance/futures.ts'
import { openBybitLinear } from '../src/venue/bybit/linear.ts'
import { openConnections } from '../src/venue/connections.ts'
import { heldForEver } from './held.ts'
import type { Rig } from './rig.ts'

/** Sells what the bot's account holds of Bitcoin's future, as its owner does in the exchange's own app. */
export async function closeByHand({ paper, credentials, account }: Rig, exchange: string): Promise<void> {
  const [open, path] =
    exchange === 'bybit'
      ? ([openBybitLinear, 'bybit'] as const)
      : ([openBinanceFutures, 'binance-futures'] as const)
  const { positions } = await account()
  const connections = openConnections()
  const { venue, stop } = await open({
    baseUrl: `${paper.url}/${path}`,
    streamUrl: `${paper.url}/${path}`.replace('http', 'ws'),
    credentials,
    connections,
    parent: undefined,
    tenure: heldForEver,
    log: testLog('by-hand'),
  })
  try {
    await venue.place(
      {
        clientOrderId: randomUUID() as string as ClientOrderId,
        symbol: 'BTCUSDT',
        type: 'market',
        side: 'sell',
        quantity: positions[0]?.quantity ?? '0',
        reduceOnly: true,
        positionSide: 'both',
        sizing: '',
      },
      () => undefined,
    )
  } finally {
    stop?.()
    await connections.close()
  }
}
