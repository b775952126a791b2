import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { betterServers, serverId, servesStreams } from '@tripline/kit/bus/better-servers'
import type { Bus } from '@tripline/kit/bus/bus'
import { busAuthenticator } from '@tripline/kit/bus/nkey'
import { inboxPrefix } from '@tripline/proto/permission'
import { type ClusterServer, natsCluster, type TestCluster } from '../../nats-cluster.ts'
import { waitFor } from '../../wait-for.ts'

const user = 'history'

let cluster: TestCluster
beforeAll(async () => {
  cluster = await natsCluster()
}, 90_000)
afterEach(async () => {
  for (const { cutOff } of cluster.servers) await cutOff(false)
  const ops = await cluster.connect('ops')
  await waitFor(async () => await servesStreams(ops.connection), { deadlineMs: 90_000 })
  await ops.close()
}, 90_000)
afterAll(async () => await cluster.stop())

function serverOf({ connection }: Bus): ClusterServer {
  const server = cluster.servers.find(({ name }) => name === connection.info?.server_name)
  if (server === undefined) throw new Error('connected to no server of the cluster')
  return server
}

async function betterThanOf(bus: Bus): Promise<ReadonlySet<string>> {
  const seed = cluster.seed(user) ?? ''
  const options = { name: user, inboxPrefix: inboxPrefix(user), authenticator: busAuthenticator(seed) }
  const servers = cluster.servers.map(({ url }) => new URL(url).host)
  return await betterServers({ connection: bus.connection, user, options, servers })
}

test('a server that is cut off is worse than the others, and they are no worse than each other', async () => {
  const [first, ...rest] = await Promise.all(
    cluster.servers.map(async ({ url }) => await cluster.connect(user, url)),
  )
  if (first === undefined) throw new Error('There is no server')
  await waitFor(async () => (await betterThanOf(first)).size === 0)
  await serverOf(first).cutOff(true)
  const others = new Set(rest.map(({ connection }) => serverId(connection)))
  await waitFor(
    async () => {
      const better = await betterThanOf(first)
      return better.size === others.size && [...better].every((id) => others.has(id))
    },
    { deadlineMs: 90_000 },
  )
  for (const bus of rest) await waitFor(async () => (await betterThanOf(bus)).size === 0)
}, 120_000)

test('of servers that are all cut off from each other none is better', async () => {
  const bus = await cluster.connect(user)
  for (const { cutOff } of cluster.servers) await cutOff(true)
  await waitFor(async () => !(await servesStreams(bus.connection)), { deadlineMs: 90_000 })
  expect(await betterThanOf(bus)).toEqual(new Set())
}, 120_000)

test('a connection to a server that is cut off goes to another one, and streams answer there', async () => {
  const bus = await cluster.connect(user, cluster.allUrls)
  const before = serverOf(bus)
  await before.cutOff(true)
  await waitFor(() => bus.isConnected() && serverOf(bus) !== before, { deadlineMs: 90_000 })
  await waitFor(async () => await servesStreams(bus.connection), { deadlineMs: 90_000 })
  await waitFor(() => bus.isReady())
}, 200_000)

test('a connection to the only server that is given stays there, and reports that no stream answers', async () => {
  const bus = await cluster.connect(user)
  const before = serverOf(bus)
  await before.cutOff(true)
  await waitFor(() => !bus.hasStreams(), { deadlineMs: 90_000 })
  expect(serverOf(bus)).toBe(before)
  await before.cutOff(false)
  await waitFor(() => bus.hasStreams(), { deadlineMs: 90_000 })
}, 200_000)
