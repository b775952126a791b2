import type { KeyView, WebhookConfigView } from '@tripline/proto/http/key'
import type { Bot, Webhook } from '@tripline/proto/key-request'
import type { LastKeyTest } from '@tripline/proto/key-test'

/** Returns a bot in the form of HTTP, with the reason why its credentials are of no use, if it is known. */
export function keyView(bot: Bot, problem: string | undefined): KeyView {
  return {
    id: bot.id,
    label: bot.label,
    exchange: bot.exchange,
    market_type: bot.marketType,
    api_key_preview: bot.apiKeyPreview,
    is_testnet: bot.isTestnet,
    notify_on_trade: bot.notifyOnTrade,
    notify_on_error: bot.notifyOnError,
    notify_on_fill: bot.notifyOnFill,
    created_at: bot.createdAt,
    last_test: bot.lastTest && lastTestView(bot.lastTest),
    problem: problem ?? null,
  }
}

function lastTestView({ testedAt, ...test }: LastKeyTest): KeyView['last_test'] {
  return { ...test, tested_at: testedAt }
}

/** The address that alerts are sent to. */
export function webhookUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/webhook/${token}`
}

/** Returns a webhook in the form of HTTP, with the address that alerts are sent to. */
export function webhookConfigView(webhook: Webhook, publicUrl: string): WebhookConfigView {
  return {
    webhook_url: webhookUrl(publicUrl, webhook.token),
    is_active: webhook.isActive,
    max_requests_per_minute: webhook.maxRequestsPerMinute,
    alert_format: webhook.alertFormat,
    only_tradingview: webhook.onlyTradingview,
  }
}
