import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { canRun, runCommand } from './run-command.ts'

/** As whom the programs of PostgreSQL run; `wrapper` are words put before the command. */
export interface PostgresIdentity {
  user?: { uid: number; gid: number }
  wrapper: string[]
}

/**
 * Returns the user that may run PostgreSQL on this folder, which is theirs afterwards. PostgreSQL refuses to run as
 * root, and another user may not reach a folder below root's home: then root only looks like another user, in a
 * namespace.
 */
export async function postgresIdentity(folder: string, program: string): Promise<PostgresIdentity> {
  if (process.getuid?.() !== 0) return { wrapper: [] }
  const user = await unprivilegedUser()
  if ((await reaches(user, folder)) && (await canRun(program, ['--version'], user))) {
    await giveTo(folder, user.uid, user.gid)
    return { user, wrapper: [] }
  }
  const wrapper = ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--']
  const [command = '', ...args] = [...wrapper, 'true']
  if (!(await canRun(command, args))) throw new Error(unreachable(folder))
  await giveTo(folder, 0, 0)
  return { wrapper }
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const name = (await canRun('id', ['postgres'])) ? 'postgres' : 'nobody'
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number(await runCommand('id', [flag, name]))),
  )
  if (uid === undefined || gid === undefined) throw new Error(`The user ${name} has no ids`)
  return { uid, gid }
}

/** Whether the user gets to the folder, judged from its parent, which need not belong to them. */
async function reaches(user: { uid: number; gid: number }, folder: string): Promise<boolean> {
  return canRun('test', ['-x', `${folder}/..`], user)
}

async function giveTo(folder: string, uid: number, gid: number): Promise<void> {
  if (statSync(folder).uid !== uid) await runCommand('chown', ['-R', `${uid}:${gid}`, folder])
}

function unreachable(folder: string): string {
  return `PostgreSQL does not run as root, and no other user reaches ${folder}.
Set TRIPLINE_DATA to a folder that others may enter (such as /var/tmp/tripline), or DATABASE_URL to a server.`
}

/** A password of 128 random bits that needs no escaping in an address. */
export function newPassword(): string {
  return randomBytes(16).toString('hex')
}
