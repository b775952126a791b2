import type { SessionId, UserId } from '@tripline/proto/id'
import type { Generated, JSONColumnType, Kysely } from 'kysely'

interface UserTable {
  id: UserId
  email: string
  username: string
  first_name: string
  last_name: string
  country: string
  created_at: string
}

interface RegistrationTable extends UserTable {
  /** Absent once the registration has become a user, who keeps it. */
  password_hash: string | null
}

interface CredentialTable {
  user_id: UserId
  password_hash: string
  changed_at: string
}

interface SessionTable {
  id: SessionId
  user_id: UserId
  refresh_seed: string
  used_generation: number
  created_at: string
  refreshed_at: string
  ended_at: string | null
  address: string
  user_agent: string
}

interface SigningKeyTable {
  id: string
  public_jwk: JSONColumnType<Record<string, unknown>>
  private_jwk_envelope: string
  created_at: string
  signs_from: string
}

interface MailTable {
  id: string
  kind: MailKind
  recipient: string
  registration_id: UserId | null
  created_at: string
  due_at: string
  attempts: Generated<number>
}

interface MailTokenTable {
  mail_id: string
  token_hash: string
  registration_id: UserId | null
  user_id: UserId | null
  expires_at: string
  used_at: string | null
}

interface WebhookRenewalTable {
  id: string
  user_id: UserId
  due_at: string
}

interface WaitlistTable {
  email: string
  joined_at: string
}

interface ThrottleTable {
  key: string
  spent_until: string
}

/** Why a mail is sent; what it says is found out when it is. */
export type MailKind =
  | 'registered'
  | 'verify'
  | 'reset'
  | 'password-changed'
  | 'webhook-renewed'
  | 'session-reused'

/** The schema `auth`. */
export interface Tables {
  user: UserTable
  registration: RegistrationTable
  credential: CredentialTable
  session: SessionTable
  signing_key: SigningKeyTable
  mail: MailTable
  mail_token: MailTokenTable
  webhook_renewal: WebhookRenewalTable
  waitlist: WaitlistTable
  throttle: ThrottleTable
}

/** The schema `auth`, or a transaction on it. */
export type Db = Kysely<Tables>

/** A moment as columns hold it. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
