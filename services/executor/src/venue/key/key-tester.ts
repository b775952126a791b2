import { type OpeningKey, unseal } from '@tripline/kit/crypto/seal'
import { RefusedError } from '@tripline/kit/refused-error'
import { type Exchange, exchangeMarketOf } from '@tripline/proto/exchange'
import type { testKey } from '@tripline/proto/executor-request'
import type { KeyTest } from '@tripline/proto/key-test'
import { Credentials, credentialContext } from '@tripline/proto/user-config'
import type { z } from 'zod'
import { judgeKey, type KeyFindings, type KeyVerdict, stateBy } from '../../domain/account/key-test.ts'
import { probeBinance } from './binance.ts'
import { probeBybit } from './bybit.ts'
import type { AddressOf, KeyTrial } from './key-trial.ts'
import { probeOkx } from './okx.ts'

type Asked = z.output<typeof testKey.asked>

interface KeyTestOptions {
  openingKeys: readonly OpeningKey[]
  addressOf: AddressOf
  /** The addresses that we call exchanges from, for people to allow. */
  ownAddresses: string | undefined
}

/** Each exchange as people read it, and what tries a key there. */
const exchanges = {
  binance: { name: 'Binance', probe: probeBinance },
  bybit: { name: 'Bybit', probe: probeBybit },
  okx: { name: 'OKX', probe: probeOkx },
  paper: { name: 'Paper', probe: probeBinance },
} as const satisfies Record<Exchange, unknown>

/** Tries the credentials of bots, over connections of its own: no order waits for it. */
export function keyTester(options: KeyTestOptions): (bot: Asked) => Promise<KeyTest> {
  return async (bot) => judgeKey(await findOut(bot, options), options.ownAddresses)
}

/** Finds out in the same way whether the exchange takes the credentials of a bot that it refused. */
export function keyJudge(options: KeyTestOptions): (bot: Asked) => Promise<KeyVerdict> {
  return async (bot) => stateBy(await findOut(bot, options), options.ownAddresses)
}

async function findOut(bot: Asked, options: KeyTestOptions): Promise<KeyFindings> {
  const { exchange, isTestnet } = bot
  const place = placeOf(bot, options)
  const { name, probe } = exchanges[exchange]
  return {
    venue: name,
    market: place.market.endsWith('spot') ? 'spot' : 'futures',
    network: exchange === 'paper' ? 'paper' : isTestnet ? 'testnet' : 'mainnet',
    ...(await probe(place)),
  }
}

function placeOf(bot: Asked, { openingKeys, addressOf }: KeyTestOptions): KeyTrial {
  const { exchange, marketType, isTestnet, sealed } = bot
  const market = exchangeMarketOf(exchange, marketType)
  if (market === undefined) throw new RefusedError('conflict', `${exchange} has no market type ${marketType}`)
  const credentials = Credentials.parse(JSON.parse(unseal(openingKeys, sealed, credentialContext(bot))))
  return { credentials, market, network: isTestnet ? 'testnet' : 'mainnet', addressOf }
}
