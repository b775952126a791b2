import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '@tripline/kit/lifecycle'
import type { Log } from '@tripline/kit/telemetry/log'
import { mailLifeMs, retryDelayMs } from '../domain/mail-schedule.ts'
import { delayMail, deleteMail, type Mail, takeMail } from '../store/mail.ts'
import { longestSendMs, type SendMail } from './smtp.ts'
import { type Writing, writeMail } from './write-mail.ts'

export interface OutboxOptions extends Writing {
  send: SendMail
  log: Log
}

// Mails are looked for at a pace of our own and never because of a request: the load that a mail makes discloses to
// nobody whether an email is known.
const everyMs = 250
const afterFaultMs = 2000
const atOnce = 4

/** Sends the mails that are due until stopped, a few at a time, so that one slow server does not hold up the others. */
export function startOutbox(options: OutboxOptions): Service {
  const stopping = new AbortController()
  const working = work(options, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await working
    },
  }
}

async function work(options: OutboxOptions, stopping: AbortSignal): Promise<void> {
  const sentIds = new Set<string>()
  const underWay = new Set<Promise<void>>()
  while (!stopping.aborted) {
    const mail = await guarded(options, async () => await takeNext(options))
    if (mail === undefined || mail === 'fault') {
      const waitMs = mail === undefined ? everyMs : afterFaultMs
      await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined)
      continue
    }
    const sending = guarded(options, async () => await send(options, mail, sentIds)).then(() => {
      underWay.delete(sending)
    })
    underWay.add(sending)
    if (underWay.size >= atOnce) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

async function guarded<Value>({ log }: OutboxOptions, act: () => Promise<Value>): Promise<Value | 'fault'> {
  try {
    return await act()
  } catch (error) {
    log.warn({ err: error }, 'could not look after mails')
    return 'fault'
  }
}

async function takeNext({ db, now }: OutboxOptions): Promise<Mail | undefined> {
  return await takeMail(db, now(), now() + longestSendMs)
}

async function send(options: OutboxOptions, mail: Mail, sentIds: Set<string>): Promise<void> {
  // It was sent, and the database was away when that was to be written down.
  if (!sentIds.has(mail.id) && !(await deliver(options, mail))) return
  sentIds.add(mail.id)
  await deleteMail(options.db, mail.id)
  sentIds.delete(mail.id)
}

/** Whether nothing is left to do for the mail. */
async function deliver(options: OutboxOptions, mail: Mail): Promise<boolean> {
  const { db, log, now, send } = options
  const seen = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts }
  if (now() > mail.createdAt + mailLifeMs) {
    log.error(seen, 'mail given up')
    return true
  }
  const content = await writeMail(options, mail)
  if (content === undefined) return true
  const sending = await send({ id: mail.id, to: mail.recipient, content })
  switch (sending.outcome) {
    case 'sent':
      log.info(seen, 'mail sent')
      return true
    case 'refused':
      log.warn({ ...seen, cause: sending.cause }, 'mail refused')
      return true
    case 'unsent':
      log.warn({ ...seen, cause: sending.cause }, 'mail not sent yet')
      await delayMail(db, mail.id, now() + retryDelayMs(mail.attempts))
      return false
  }
}
