import { randomBytes, randomInt } from 'node:crypto'
import { canRun, runCommand } from './infra/run-command.ts'

/** A host of a network on this machine, in a namespace of its own. */
export interface NetworkHost {
  address: string
  /** The words before a command that is to run on this host. */
  wrapper: string[]
  /** Loses every packet between it and another host, without a word to either, or passes them again. */
  losePackets: (other: NetworkHost, isLost: boolean) => Promise<void>
  /** Unplugs it from everybody, or plugs it in again. */
  unplug: (isUnplugged: boolean) => Promise<void>
}

/** Hosts that reach each other, and that this process reaches. */
export interface Network {
  hosts: readonly NetworkHost[]
  stop: () => Promise<void>
}

/** Opens a network of so many hosts; undefined where the machine does not allow that. */
export async function openNetwork(count: number): Promise<Network | undefined> {
  const name = `tl${randomBytes(3).toString('hex')}`
  const subnet = `10.${randomInt(64, 128)}.${randomInt(1, 255)}`
  const spaces = Array.from({ length: count }, (_, index) => `${name}-${index}`)
  const stop = async (): Promise<void> => {
    for (const space of spaces) await canRun('ip', ['netns', 'delete', space])
    await canRun('ip', ['link', 'delete', name])
  }
  try {
    await ip(`link add ${name} type bridge`)
    await ip(`addr add ${subnet}.1/24 dev ${name}`)
    await ip(`link set ${name} up`)
    const hosts: NetworkHost[] = []
    for (const [index, space] of spaces.entries()) {
      hosts.push(await addHost({ bridge: name, space, address: `${subnet}.${10 + index}` }))
    }
    return { hosts, stop }
  } catch {
    await stop()
    return undefined
  }
}

async function addHost({
  bridge,
  space,
  address,
}: {
  bridge: string
  space: string
  address: string
}): Promise<NetworkHost> {
  const near = space.replace('-', 'v')
  await ip(`netns add ${space}`)
  await ip(`link add ${near} type veth peer name eth0 netns ${space}`)
  await ip(`link set ${near} master ${bridge}`)
  await ip(`link set ${near} up`)
  await ip(`-n ${space} addr add ${address}/24 dev eth0`)
  for (const device of ['lo', 'eth0']) await ip(`-n ${space} link set ${device} up`)
  return {
    address,
    wrapper: ['ip', 'netns', 'exec', space],
    losePackets: async (other, isLost) =>
      await ip(`-n ${space} route ${isLost ? 'add' : 'delete'} blackhole ${other.address}/32`),
    unplug: async (isUnplugged) => await ip(`link set ${near} ${isUnplugged ? 'down' : 'up'}`),
  }
}

async function ip(words: string): Promise<void> {
  await runCommand('ip', words.split(' '))
}
