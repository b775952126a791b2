import { type BusUser, busUsers, permissions } from '@tripline/proto/permission'

// A process that starts on a busy machine may take seconds to sign; by default the server hangs up after two.
const signingPatienceS = 10

/** The server configuration with a user for each process, known by its public nkey, and what each may do. */
export function renderNatsConfig(publicKeys: Record<BusUser, string>): string {
  const users = busUsers.map((user) => renderUser(publicKeys[user], user))
  return `# Generated from the permissions in proto.\nauthorization {\n  timeout: ${signingPatienceS}\n  users = [\n${users.join(',\n')}\n  ]\n}\n`
}

function renderUser(nkey: string, user: BusUser): string {
  const { publish, subscribe } = permissions[user]
  return `    # ${user}
    { nkey: ${nkey}, permissions: {
      publish: { allow: ${JSON.stringify(publish)} }
      subscribe: { allow: ${JSON.stringify(subscribe)} }
      allow_responses: { max: 1, ttl: "1m" }
    } }`
}

/** The environment variable that tells a server the public nkey of this user. */
export function nkeyVariable(user: BusUser): string {
  return `NKEY_${user.toUpperCase()}`
}

/** The same configuration for servers that are told the public keys by their environment. */
export function renderSharedNatsConfig(): string {
  const variables = busUsers.map((user) => [user, `$${nkeyVariable(user)}`])
  return renderNatsConfig(Object.fromEntries(variables) as Record<BusUser, string>)
}
