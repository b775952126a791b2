import type { SessionId, UserId } from '@tripline/proto/id'
import type { JSONColumnType, Kysely } from 'kysely'

interface UserTable {
  id: UserId
  email: string
  username: string
  first_name: string
  last_name: string
  country: string
  created_at: string
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
}

interface SigningKeyTable {
  id: string
  public_jwk: JSONColumnType<Record<string, unknown>>
  private_jwk_envelope: string
  created_at: string
  retired_at: string | null
}

/** The schema `auth`. */
export interface Tables {
  user: UserTable
  credential: CredentialTable
  session: SessionTable
  signing_key: SigningKeyTable
}

/** The schema `auth`, or a transaction on it. */
export type Db = Kysely<Tables>
