import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type BusUser, busUsers, type Permission, permissions } from '@tripline/proto/permission'
import { z } from 'zod'
import { rootDir } from '../paths.ts'

// A process that starts on a busy machine may take seconds to sign; by default the server hangs up after two.
const signingPatienceS = 10

type Permissions = Record<BusUser, Permission>

/** The server configuration with a user for each process, known by its public nkey, and what each may do. */
export function renderNatsConfig(
  publicKeys: Record<BusUser, string>,
  allowed: Permissions = permissions,
): string {
  const users = busUsers.map((user) => renderUser(publicKeys[user], user, allowed[user]))
  return `# Generated from the permissions in proto.\nauthorization {\n  timeout: ${signingPatienceS}\n  users = [\n${users.join(',\n')}\n  ]\n}\n`
}

function renderUser(nkey: string, user: BusUser, { publish, subscribe }: Permission): string {
  return `    # ${user}
    { nkey: ${nkey}, permissions: {
      publish: { allow: ${JSON.stringify(publish)} }
      subscribe: { allow: ${JSON.stringify(subscribe)} }
      allow_responses: { max: 1, ttl: "1m" }
    } }`
}

/** The environment variable that gives a server the public nkey of this user. */
export function nkeyVariable(user: BusUser): string {
  return `NKEY_${user.toUpperCase()}`
}

/** The same configuration for servers that get the public keys from their environment. */
export function renderSharedNatsConfig(): string {
  return renderNatsConfig(keyVariables())
}

/** The same for an upgrade: processes of the version before may still do what they need besides. */
export function renderUpgradeNatsConfig(): string {
  return renderNatsConfig(keyVariables(), withFormer(versionBefore().permissions))
}

function keyVariables(): Record<BusUser, string> {
  const variables = busUsers.map((user) => [user, `$${nkeyVariable(user)}`])
  return Object.fromEntries(variables) as Record<BusUser, string>
}

const Before = z.object({
  commit: z.string(),
  permissions: z.record(
    z.string(),
    z.object({ publish: z.array(z.string()), subscribe: z.array(z.string()) }),
  ),
})

/** Path of the record of the version before this one. */
export const versionFile = path.join(rootDir, 'proto/before/version.json')

/** The version that was released before this one: its commit, and what each of its processes may do. */
export function versionBefore(): z.infer<typeof Before> {
  return Before.parse(JSON.parse(readFileSync(versionFile, 'utf8')))
}

function withFormer(former: Record<string, Permission>): Permissions {
  const all = busUsers.map((user) => {
    const { publish, subscribe } = permissions[user]
    const { publish: more = [], subscribe: besides = [] } = former[user] ?? {}
    return [
      user,
      { publish: [...new Set([...publish, ...more])], subscribe: [...new Set([...subscribe, ...besides])] },
    ]
  })
  return Object.fromEntries(all) as Permissions
}
