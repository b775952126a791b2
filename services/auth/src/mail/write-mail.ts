import { newMailToken } from '../crypto/mail-token.ts'
import {
  alreadyRegisteredMail,
  type MailContent,
  type MailFrame,
  passwordChangedMail,
  resetMail,
  sessionReusedMail,
  verificationMail,
  webhookRenewedMail,
} from '../domain/mail-content.ts'
import { linkLifeMs } from '../domain/mail-token.ts'
import type { Db } from '../store/database.ts'
import type { Mail } from '../store/mail.ts'
import { type MailTokenPurpose, putMailToken } from '../store/mail-token.ts'
import { findOpenRegistration, findRegistration, type Registration } from '../store/registration.ts'
import { findLogin } from '../store/user.ts'

/** Dependencies of writing mails. */
export interface Writing {
  db: Db
  now: () => number
  frame: MailFrame
}

/**
 * Returns a mail's present text, with a token of its own if it has a link; undefined when there is nothing to say. Only
 * here it is looked whether an email is known, so that requests take as long for all.
 */
export async function writeMail(writing: Writing, mail: Mail): Promise<MailContent | undefined> {
  const { db, frame } = writing
  switch (mail.kind) {
    case 'registered':
      return await toRegistrant(writing, mail)
    case 'verify':
      if (await findLogin(db, mail.recipient)) return undefined
      return await verification(writing, mail, await findOpenRegistration(db, mail.recipient))
    case 'reset':
      return await toForgetful(writing, mail)
    case 'password-changed':
      return passwordChangedMail(frame)
    case 'webhook-renewed':
      return webhookRenewedMail(frame)
    case 'session-reused':
      return sessionReusedMail(frame)
  }
}

async function toRegistrant(writing: Writing, mail: Mail): Promise<MailContent | undefined> {
  if (await findLogin(writing.db, mail.recipient)) return alreadyRegisteredMail(writing.frame)
  const registration = mail.registrationId && (await findRegistration(writing.db, mail.registrationId))
  return await verification(writing, mail, registration || undefined)
}

async function verification(
  writing: Writing,
  mail: Mail,
  registration: Registration | undefined,
): Promise<MailContent | undefined> {
  if (registration === undefined || registration.passwordHash === null) return undefined
  const token = await keepToken(writing, mail, { registrationId: registration.user.id }, linkLifeMs.verify)
  return verificationMail(writing.frame, token)
}

async function toForgetful(writing: Writing, mail: Mail): Promise<MailContent | undefined> {
  const login = await findLogin(writing.db, mail.recipient)
  if (login === undefined) return undefined
  const token = await keepToken(writing, mail, { userId: login.user.id }, linkLifeMs.reset)
  return resetMail(writing.frame, login.user.firstName, token)
}

async function keepToken(
  { db, now }: Writing,
  mail: Mail,
  purpose: MailTokenPurpose,
  lifeMs: number,
): Promise<string> {
  const { token, tokenHash } = newMailToken()
  await putMailToken(db, { mailId: mail.id, tokenHash, purpose, expiresAt: now() + lifeMs })
  return token
}
