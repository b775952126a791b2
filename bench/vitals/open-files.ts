import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A connection, by its ports. */
export type Ports = readonly [client: number, server: number]

const tables = ['/proc/net/tcp', '/proc/net/tcp6']

/**
 * Returns the number of files and sockets that a process has open, these ends of connections aside; NaN if the system
 * does not count them.
 */
export function openFiles(pid: number, aside: ReadonlySet<string>): number {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).filter((name) => !aside.has(targetOf(`${folder}/${name}`))).length
  } catch {
    return Number.NaN
  }
}

// A file that was closed since the folder was listed leads nowhere.
function targetOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}

/** Both ends of the connections, each called as it is among the open files of the process that holds it. */
export function endsOf(connections: readonly Ports[]): Set<string> {
  const wanted = new Set(
    connections.flatMap(([client, server]) => [`${client} ${server}`, `${server} ${client}`]),
  )
  const ends = rows().filter(({ local, remote }) => wanted.has(`${local} ${remote}`))
  return new Set(ends.map(({ inode }) => `socket:[${inode}]`))
}

function rows(): { local: number; remote: number; inode: string }[] {
  return tables.flatMap(linesOf).map((line) => {
    const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
    return { local: portIn(local), remote: portIn(remote), inode }
  })
}

function linesOf(table: string): string[] {
  try {
    return readFileSync(table, 'utf8').split('\n').slice(1)
  } catch {
    return []
  }
}

function portIn(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
}
