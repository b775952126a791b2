import { hash } from 'node:crypto'
import type { UserId } from '@tripline/proto/id'
import type { Webhook } from './domain/webhook.ts'

/** The name of a webhook's alerts with this body. */
export function bodyKey({ tokenHash }: Webhook, body: string): string {
  return `${tokenHash}:body:${hash('sha256', body)}`
}

/** The name of a webhook's alert with this id; hashed, since it may hold anything. */
export function identityKey({ tokenHash }: Webhook, id: string): string {
  return `${tokenHash}:id:${hash('sha256', id)}`
}

/** The name of what a user sends with a session of their own. */
export function sessionKey(userId: UserId): string {
  return `session:${userId}`
}
