import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleInto } from '@tripline/scripts/bundle'
import { type Closers, closers as newClosers } from '@tripline/scripts/closers'
import type { ChildServer } from '@tripline/scripts/infra/child-server'
import { freePort } from '@tripline/scripts/infra/free-port'
import { startHaproxy } from '@tripline/scripts/infra/haproxy'
import { runCommand } from '@tripline/scripts/infra/run-command'
import { temporaryFolder } from '@tripline/scripts/infra/temporary-folder'
import { type Workload, workloadsOf } from '@tripline/scripts/k8s/document'
import { podArguments, podEnvironment } from '@tripline/scripts/k8s/pod-environment'
import { renderOverlay } from '@tripline/scripts/k8s/render'
import { rootDir } from '@tripline/scripts/paths'
import { type Ground, type Replica, startReplica } from './replica.ts'
import { type Servers, startServers } from './servers.ts'

/** The product as the overlay `production` runs it, on one machine. */
export interface Production {
  /** `web` is the balancer, behind which gateways and intakes are. */
  urls: { web: string; paper: string; intake: string }
  natsUrl: string
  /** Where the mails are told that were sent. */
  mailsUrl: string
  /** What a process is told in confidence, such as `setup/NATS_NKEY_SEED`. */
  secret: (file: string) => Promise<string>
  /** Restarts every process of every service, as an upgrade does: all services at once, of each one after the other. */
  upgrade: () => Promise<void>
  stop: () => Promise<void>
}

const doors = ['gateway', 'intake'] as const
const others = ['executor', 'auth', 'keys', 'history', 'notifier'] as const
type Door = (typeof doors)[number]
type Other = (typeof others)[number]

const replicas = [1, 2] as const

interface Stage {
  ground: Ground
  servers: Servers
  workloads: ReadonlyMap<string, Workload>
  ports: { door: number; paper: number; doors: Record<Door, number[]> }
}

/** Starts two of everything behind the balancer; resolves once all are ready. */
export async function startProduction(): Promise<Production> {
  const closers = newClosers()
  try {
    return await start(closers)
  } catch (error) {
    await closers.close()
    throw error
  }
}

async function start(closers: Closers): Promise<Production> {
  const { folder: dataDir, remove } = await temporaryFolder()
  await closers.add(remove)
  const image = path.join(dataDir, 'image')
  const [servers, objects] = await Promise.all([
    startServers(dataDir, closers),
    renderOverlay('production'),
    bundleInto(image),
  ])
  const ports = await choosePorts()
  const workloads = new Map(workloadsOf(objects).map((workload) => [workload.name, workload]))
  const ground = {
    dataDir,
    places: placesOf(dataDir, image, servers, ports),
    site,
    running: new Set<ChildServer>(),
  }
  const stage: Stage = { ground, servers, workloads, ports }
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
    natsUrl: servers.natsUrl,
    mailsUrl: servers.mailbox.mailsUrl,
    secret: async (file) => await readFile(path.join(servers.secretsDir, file), 'utf8'),
    upgrade,
    stop: closers.close,
  }
}

/** What is thrown away needs no orderly end. */
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

/** What the manifests speak of, and where it is here. */
function placesOf(
  dataDir: string,
  image: string,
  { natsUrl }: Servers,
  { door, paper }: Stage['ports'],
): Ground['places'] {
  return new Map([
    ['nats://nats:4222', natsUrl],
    // As the name of a service does, the balancer stands for all of its processes.
    ['http://intake:8080', `http://127.0.0.1:${door}`],
    ['http://paper-exchange:8080', `http://127.0.0.1:${paper}`],
    ['/app/web', path.join(image, 'web')],
    ['bundle/', `${path.join(image, 'bundle')}/`],
    ['/data', path.join(dataDir, 'paper-exchange')],
  ])
}

/** The ground as one process sees it, to which its own secrets are mounted. */
function groundOf({ ground, servers }: Stage, name: string): Ground {
  const secrets = path.join(servers.secretsDir, name)
  return { ...ground, places: new Map([...ground.places, ['/run/secrets/tripline', secrets]]) }
}

function workloadOf({ workloads }: Stage, name: string): Workload {
  const workload = workloads.get(name)
  if (workload === undefined) throw new Error(`The overlay has no ${name}`)
  return workload
}

async function setUp(stage: Stage): Promise<void> {
  const { places, site } = groundOf(stage, 'setup')
  const workload = workloadOf(stage, 'setup')
  const env = { ...podEnvironment(workload, places, site), NATS_REPLICAS: '1' }
  await runCommand(process.execPath, podArguments(workload, places), { env })
}

/** Starts two of each service, and answers how to restart them all. */
async function startServices(stage: Stage): Promise<Production['upgrade']> {
  // What reached it is looked up in its journal.
  await startOne(stage, 'paper-exchange', 1, stage.ports.paper, { PAPER_CONTROL: 'on' })
  const upgrades = await Promise.all([
    ...doors.map(async (name) => await startDoors(stage, name)),
    ...others.map(async (name) => await startOthers(stage, name)),
  ])
  return async () => {
    await Promise.all(upgrades.map(async (upgrade) => await upgrade()))
  }
}

/** Doors stay where the balancer looks for them, so the old one ends first. */
async function startDoors(stage: Stage, name: Door): Promise<() => Promise<void>> {
  const startAt = async (index: number): Promise<Replica> =>
    await startOne(stage, name, index, stage.ports.doors[name][index] ?? 0)
  const running = await Promise.all(replicas.map(async (_number, index) => await startAt(index)))
  return async () => {
    for (const [index, replica] of running.entries()) {
      await replica.end()
      running[index] = await startAt(index)
    }
  }
}

/** The others are found by the bus: a new one is ready before an old one ends. */
async function startOthers(stage: Stage, name: Other): Promise<() => Promise<void>> {
  let count = 0
  const startNext = async (): Promise<Replica> => await startOne(stage, name, count++, await freePort())
  const running = await Promise.all(replicas.map(startNext))
  return async () => {
    for (const [index, replica] of running.entries()) {
      running[index] = await startNext()
      await replica.end()
    }
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
  return await startReplica(groundOf(stage, name), workloadOf(stage, name), named)
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
