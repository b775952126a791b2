import type { UserId } from '@tripline/proto/id'
import { v7 as newId } from 'uuid'
import { type Db, type MailKind, toIso } from './database.ts'

/** A mail that is to be sent. */
export interface Mail {
  id: string
  kind: MailKind
  recipient: string
  registrationId: UserId | null
  createdAt: number
  /** The number of attempts, this one included. */
  attempts: number
}

/** Keeps a mail to be sent; with the transaction it is in, so that it is sent if and only if that is committed. */
export async function insertMail(
  db: Db,
  mail: { kind: MailKind; recipient: string; registrationId?: UserId; createdAt: number },
): Promise<void> {
  const createdAt = toIso(mail.createdAt)
  await db
    .insertInto('mail')
    .values({
      id: newId(),
      kind: mail.kind,
      recipient: mail.recipient,
      registration_id: mail.registrationId ?? null,
      created_at: createdAt,
      due_at: createdAt,
    })
    .execute()
}

/** Takes the mail that is due for longest; until the moment nobody else takes it. */
export async function takeMail(db: Db, now: number, takenUntil: number): Promise<Mail | undefined> {
  const row = await db
    .updateTable('mail')
    .set((mail) => ({ due_at: toIso(takenUntil), attempts: mail('attempts', '+', 1) }))
    .where('id', '=', (mail) =>
      mail
        .selectFrom('mail')
        .select('id')
        .where('due_at', '<=', toIso(now))
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      kind: row.kind,
      recipient: row.recipient,
      registrationId: row.registration_id,
      createdAt: Date.parse(row.created_at),
      attempts: row.attempts,
    }
  )
}

/** Puts a mail off. */
export async function delayMail(db: Db, id: string, dueAt: number): Promise<void> {
  await db
    .updateTable('mail')
    .set({ due_at: toIso(dueAt) })
    .where('id', '=', id)
    .execute()
}

/** Forgets a mail that is sent or will not be. */
export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mail').where('id', '=', id).execute()
}
