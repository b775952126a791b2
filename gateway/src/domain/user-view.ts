import type { User } from '@tripline/proto/auth-request'
import type { UserView } from '@tripline/proto/http/auth'

/** Returns a user in the form of HTTP. */
export function userView(user: User): UserView {
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    first_name: user.firstName,
    last_name: user.lastName,
    country: user.country,
    created_at: user.createdAt,
  }
}
