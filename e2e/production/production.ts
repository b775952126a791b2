import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import type { ChildServer } from '@tripline/testkit/infra/child-server'
import { freePort } from '@tripline/testkit/infra/free-port'
import { startHaproxy } from '@tripline/testkit/infra/haproxy'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import type { Workload } from '@tripline/testkit/k8s/document'
import { podArguments, podEnvironment } from '@tripline/testkit/k8s/pod-environment'
import { rootDir } from '@tripline/testkit/paths'
import { presentRelease, type Release } from './release.ts'
import { type Ground, type Replica, startReplica } from './replica.ts'
import { type Servers, startServers } from './servers.ts'

/** The product as the overlay `production` runs it, on one machine. */
export interface Production {
  /** `web` is the balancer, behind which gateways and intakes are. */
  urls: { web: string; paper: string; intake: string }
  natsUrl: string
  /** The address of the sent mails. */
  mailsUrl: string
  /** Returns a secret of a process, such as `setup/NATS_NKEY_SEED`. */
  secret: (file: string) => Promise<string>
  /** Has the server of the bus read another list of what each process may say. */
  permit: (users: string) => Promise<void>
  /** Runs setup of a version, which every process that starts from now on is of. */
  release: (release: Release) => Promise<void>
  /**
   * Restarts every process of every service, as an upgrade does: all services at once, of each one after the other. Calls
   * back when half of each are replaced.
   */
  upgrade: (atHalf?: () => Promise<void>) => Promise<void>
  /** The processes that have ended though nobody ended them, and those that are not ready. */
  unwell: () => Promise<string[]>
  stop: () => Promise<void>
}

const doors = ['gateway', 'intake'] as const
const others = ['executor', 'auth', 'keys', 'history', 'notifier'] as const
type Door = (typeof doors)[number]
type Other = (typeof others)[number]

const replicas = [1, 2] as const

interface Stage {
  ground: Omit<Ground, 'localPaths'>
  servers: Servers
  release: Release
  replicas: Map<string, Replica>
  ports: { door: number; paper: number; doors: Record<Door, number[]> }
}

/** Starts two of everything behind the balancer; resolves once all are ready. The version is this one unless one is given. */
export async function startProduction(release?: Release): Promise<Production> {
  const closers = newClosers()
  try {
    return await start(closers, release)
  } catch (error) {
    await closers.close()
    throw error
  }
}

async function start(closers: Closers, given?: Release): Promise<Production> {
  const { folder: dataDir, remove } = await temporaryFolder()
  await closers.add(remove)
  const release = given ?? (await presentRelease(dataDir))
  const servers = await startServers(dataDir, release.busFiles, closers)
  const ports = await choosePorts()
  const ground = { dataDir, site, running: new Set<ChildServer>() }
  const stage: Stage = { ground, servers, release, replicas: new Map(), ports }
  await closers.add(async () => {
    await Promise.all([...ground.running].map(killed))
  })
  await setUp(stage)
  const upgrade = await startServices(stage)
  const balancer = await startHaproxy(balancerOf(stage))
  await closers.add(balancer.stop)
  const web = `http://127.0.0.1:${ports.door}`
  return {
    urls: { web, paper: `http://127.0.0.1:${ports.paper}`, intake: web },
    natsUrl: servers.bus.url,
    mailsUrl: servers.mailbox.mailsUrl,
    secret: async (file) => await readFile(path.join(servers.secretsDir, file), 'utf8'),
    permit: servers.bus.permit,
    release: async (next) => {
      stage.release = next
      await setUp(stage)
    },
    upgrade,
    unwell: async () => await unwell(stage),
    stop: closers.close,
  }
}

/** A product that is thrown away needs no orderly end. */
async function killed(server: ChildServer): Promise<void> {
  server.child.kill('SIGKILL')
  await server.stop()
}

// Nobody but the balancer reaches the doors, from the address of this machine.
const site = { PUBLIC_URL: 'https://tripline.example.com', TRUST_PROXY: '127.0.0.1' }

async function choosePorts(): Promise<Stage['ports']> {
  const two = async (): Promise<number[]> => await Promise.all(replicas.map(freePort))
  const doorPorts = { gateway: await two(), intake: await two() }
  return { door: await freePort(), paper: await freePort(), doors: doorPorts }
}

/** Returns the paths in the manifests, each with its path here. */
function mountsOf({ ground: { dataDir }, release: { image }, servers, ports }: Stage): Ground['localPaths'] {
  const { door, paper } = ports
  return new Map([
    // The version before names the service.
    ['nats://nats:4222', servers.bus.url],
    // As the name of a service does, the balancer stands for all of its processes.
    ['http://intake:8080', `http://127.0.0.1:${door}`],
    ['http://paper-exchange:8080', `http://127.0.0.1:${paper}`],
    ['/app/web', path.join(image, 'web')],
    ['bundle/', `${path.join(image, 'bundle')}/`],
    ['/data', path.join(dataDir, 'paper-exchange')],
  ])
}

/** The ground as one process sees it, to which its own secrets are mounted. */
function groundOf(stage: Stage, name: string): Ground {
  const secrets = path.join(stage.servers.secretsDir, name)
  const localPaths = new Map([...mountsOf(stage), ['/run/secrets/tripline', secrets]])
  return { ...stage.ground, site: { ...stage.ground.site, NATS_URL: stage.servers.bus.url }, localPaths }
}

function workloadOf({ release }: Stage, name: string): Workload {
  const workload = release.workloads.get(name)
  if (workload === undefined) throw new Error(`The overlay has no ${name}`)
  return workload
}

async function setUp(stage: Stage): Promise<void> {
  const { localPaths, site } = groundOf(stage, 'setup')
  const workload = workloadOf(stage, 'setup')
  const env = { ...podEnvironment(workload, localPaths, site), NATS_REPLICAS: '1' }
  await runCommand(process.execPath, podArguments(workload, localPaths), { env })
}

/** Starts two of each service, and returns the function that restarts them all. */
async function startServices(stage: Stage): Promise<Production['upgrade']> {
  // Orders that reached it are looked up in its journal.
  await startOne(stage, 'paper-exchange', 1, stage.ports.paper, { PAPER_CONTROL: 'on' })
  const upgrades = await Promise.all([
    ...doors.map(async (name) => await startDoors(stage, name)),
    ...others.map(async (name) => await startOthers(stage, name)),
  ])
  return async (atHalf) => {
    for (const [index] of replicas.entries()) {
      if (index > 0) await atHalf?.()
      await Promise.all(upgrades.map(async (upgrade) => await upgrade(index)))
    }
  }
}

/** Replaces one of the processes of a service. */
type Replace = (index: number) => Promise<void>

/** Doors stay where the balancer looks for them, so the old one ends first. */
async function startDoors(stage: Stage, name: Door): Promise<Replace> {
  const startAt = async (index: number): Promise<Replica> =>
    await startOne(stage, name, index, stage.ports.doors[name][index] ?? 0)
  const running = await Promise.all(replicas.map(async (_number, index) => await startAt(index)))
  return async (index) => {
    await running[index]?.end()
    running[index] = await startAt(index)
  }
}

/** The others are found by the bus: a new one is ready before an old one ends. */
async function startOthers(stage: Stage, name: Other): Promise<Replace> {
  let count = 0
  const startNext = async (): Promise<Replica> => await startOne(stage, name, count++, await freePort())
  const running = await Promise.all(replicas.map(startNext))
  return async (index) => {
    const replica = running[index]
    running[index] = await startNext()
    await replica?.end()
  }
}

async function startOne(
  stage: Stage,
  name: string,
  index: number,
  port: number,
  more?: Record<string, string>,
): Promise<Replica> {
  const named = { name: `${name}-${index}`, port, ...(more && { more }) }
  const replica = await startReplica(groundOf(stage, name), workloadOf(stage, name), named)
  stage.replicas.set(named.name, replica)
  const end = async (): Promise<void> => {
    stage.replicas.delete(named.name)
    await replica.end()
  }
  return { ...replica, end }
}

async function unwell({ replicas }: Stage): Promise<string[]> {
  const looks = [...replicas].map(async ([name, { port }]) => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(String)
    if (typeof answer === 'string') return [`${name}: ${answer}`]
    return answer.ok ? [] : [`${name}: ${answer.status} ${await answer.text()}`]
  })
  return (await Promise.all(looks)).flat()
}

function balancerOf({ ground, ports }: Stage): Parameters<typeof startHaproxy>[0] {
  const at = (port = 0): string => `127.0.0.1:${port}`
  const { gateway, intake } = ports.doors
  return {
    dataDir: ground.dataDir,
    configFile: path.join(rootDir, 'deploy/haproxy.cfg'),
    port: ports.door,
    env: {
      DOOR: at(ports.door),
      GATEWAY_1: at(gateway[0]),
      GATEWAY_2: at(gateway[1]),
      INTAKE_1: at(intake[0]),
      INTAKE_2: at(intake[1]),
    },
  }
}
