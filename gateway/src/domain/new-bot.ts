import { takesPassphrase } from '@tripline/proto/exchange'
import type { CreateKeyBody } from '@tripline/proto/http/key'
import type { BotId } from '@tripline/proto/id'
import type { createBot } from '@tripline/proto/key-request'
import type { FieldFault } from '@tripline/proto/request'
import type { Credentials } from '@tripline/proto/user-config'
import type { z } from 'zod'

/** A bot as keys is asked to make it. */
export function newBot(id: BotId, body: CreateKeyBody): z.input<typeof createBot.asked>['bot'] {
  return {
    id,
    label: body.label,
    exchange: body.exchange,
    marketType: body.market_type,
    isTestnet: body.is_testnet,
    notifyOnTrade: body.notify_on_trade,
    notifyOnError: body.notify_on_error,
    notifyOnFill: body.notify_on_fill,
  }
}

/** The credentials of a new bot: null for a Paper bot, whose account is opened for it, and a list of what is missing. */
export function credentialsOf(
  body: CreateKeyBody,
): { credentials: Credentials | null } | { missing: FieldFault[] } {
  if (body.exchange === 'paper') return { credentials: null }
  const { api_key: apiKey, api_secret: secret, api_passphrase: passphrase } = body
  const lacksPassphrase = takesPassphrase(body.exchange) && !passphrase
  if (apiKey && secret && !lacksPassphrase) {
    const named = takesPassphrase(body.exchange) && passphrase ? { passphrase } : {}
    return { credentials: { apiKey, secret, ...named } }
  }
  const message = 'API credentials are required'
  return {
    missing: [
      ...(apiKey ? [] : [{ field: 'api_key', message }]),
      ...(secret ? [] : [{ field: 'api_secret', message }]),
      ...(lacksPassphrase ? [{ field: 'api_passphrase', message }] : []),
    ],
  }
}
