import type { AlertBlock } from '@tripline/proto/alert'
import type { DiagnosticCode } from '@tripline/proto/error-code'
import type { DiagnosticView } from '@tripline/proto/http/webhook'
import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import type { AlertFormat } from '@tripline/proto/language/formats/alert-format'
import { openEnvelope } from '@tripline/proto/language/formats/envelope'
import { readAlert as readInFormat } from '@tripline/proto/language/formats/read-alert'
import type { Block } from '@tripline/proto/language/tree'
import type { BotConfig } from '@tripline/proto/user-config'
import { isExitAlert } from './exit-alert.ts'
import { type Identity, identityOf, type Stamps } from './identity.ts'
import type { Webhook } from './webhook.ts'

/** The commands of a message, or everything that is wrong with it and the first bot it names. */
export type Reading = ReadMessage | UnreadableMessage

export interface ReadMessage {
  outcome: 'read'
  message: string
  identity: Identity
  blocks: AlertBlock[]
  /** Whether it only closes or cancels. */
  isExit: boolean
  /** Warnings and notes. */
  diagnostics: DiagnosticView[]
}

export interface UnreadableMessage {
  outcome: 'unreadable'
  message: string
  diagnostics: DiagnosticView[]
  bot: BotConfig | undefined
}

const idLimit = 64

/** Reads what was sent on a webhook at this moment against the bots of its user. */
export function readAlert(
  raw: string,
  webhook: Pick<Webhook, 'bots' | 'botsByLabel' | 'alertFormat' | 'closeOnlyAmong'>,
  receivedAt: number,
): Reading {
  const { bots, botsByLabel, alertFormat } = webhook
  const envelope = openEnvelope(raw, alertFormat)
  const { message, format } = envelope
  if (envelope.id !== undefined && (envelope.id === '' || envelope.id.length > idLimit))
    return unreadable(message, 'E109', `the id of the JSON must have 1 to ${idLimit} characters`)
  if (envelope.id?.includes('{{') || envelope.sentAt?.includes('{{'))
    return unreadable(message, 'E108', 'a placeholder in the JSON was not filled in')

  const { blocks, diagnostics, named, id, sentAt, validUntil } = readInFormat(message, format, bots)
  const bot = botsByLabel.get(named[0] ?? '')
  if (blocks.length === 0) {
    const views = diagnostics.map(viewOf)
    return { outcome: 'unreadable', message, diagnostics: views.map((view) => atAddress(view, webhook)), bot }
  }
  const stray = strayLabel(message, format, webhook)
  if (stray !== undefined) return unreadable(message, 'E201', `unknown bot "${stray}". ${onlyFor(bots)}`)
  if (validUntil !== undefined && receivedAt > validUntil)
    return { ...unreadable(message, 'E515', 'the alert is older than it says it may be'), bot }
  const unserved = blocks.find(({ label }) => !botsByLabel.has(label))
  if (unserved !== undefined) return unreadable(message, 'E404', newerSettings(unserved.label))
  const identity = identityOf({ ...stampsOf(id, sentAt), ...stampsOf(envelope.id, envelope.sentAt) })
  const remarks = diagnostics.map(viewOf)
  return {
    outcome: 'read',
    message,
    identity,
    blocks: withBots(blocks, botsByLabel),
    isExit: isExitAlert(blocks, botsByLabel),
    diagnostics: remarks,
  }
}

/** A bot's label that ends like the one of the address: the alert means that other bot. */
function strayLabel(
  message: string,
  format: AlertFormat,
  { bots, closeOnlyAmong }: Pick<Webhook, 'bots' | 'closeOnlyAmong'>,
): string | undefined {
  if (closeOnlyAmong === undefined) return undefined
  const { named } = readInFormat(message, format, closeOnlyAmong)
  return named.find((name) => bots.every(({ label }) => label !== name))
}

/** Returns the diagnostic for the address that the message came at: at a close-only one all other bots are unknown. */
function atAddress(
  view: DiagnosticView,
  { bots, closeOnlyAmong }: Pick<Webhook, 'bots' | 'closeOnlyAmong'>,
): DiagnosticView {
  if (closeOnlyAmong === undefined || view.code !== 'E201') return view
  const { cause = 'unknown bot' } = view
  return { ...view, message: `E201 ${cause}. ${onlyFor(bots)}`, expected: onlyFor(bots) }
}

function onlyFor(bots: Webhook['bots']): string {
  return `This close-only address is for ${bots.map(({ label }) => label).join()} alone`
}

function newerSettings(label: string): string {
  return `${label} cannot trade now: a newer version wrote its settings. Send again once the upgrade is done`
}

function stampsOf(id: string | undefined, sentAt: string | undefined): Stamps {
  return { ...(id !== undefined && { id }), ...(sentAt !== undefined && { sentAt }) }
}

function withBots(blocks: Block[], botsByLabel: Webhook['botsByLabel']): AlertBlock[] {
  return blocks.map((block) => {
    const bot = botsByLabel.get(block.label)
    if (bot === undefined) throw new Error('a block was read for a bot that the user does not have')
    return { ...block, botId: bot.id }
  })
}

function unreadable(message: string, code: DiagnosticCode, text: string): UnreadableMessage {
  const diagnostic = { code, message: `${code} ${text}` }
  return { outcome: 'unreadable', message, diagnostics: [diagnostic], bot: undefined }
}

function viewOf({ span, fix, parameter: _about, ...fields }: Diagnostic): DiagnosticView {
  const view = { ...fields, ...span }
  return fix === undefined ? view : { ...view, fix: { ...fix.span, text: fix.text } }
}
