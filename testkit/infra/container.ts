import type { StartedTestContainer } from 'testcontainers'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { newPassword } from './postgres-user.ts'
import type { Server } from './server.ts'

const images = { postgres: 'postgres:17-alpine', redis: 'redis:7-alpine', nats: 'nats:2.12-alpine' }

/** PostgreSQL in a container. */
export async function startPostgresContainer(): Promise<Server> {
  const password = newPassword()
  const container = await start(
    new GenericContainer(images.postgres)
      .withEnvironment({ POSTGRES_USER: 'tripline', POSTGRES_PASSWORD: password, POSTGRES_DB: 'tripline' })
      .withCommand(['postgres', '-c', 'max_connections=300'])
      .withExposedPorts(5432)
      // The first time is the server that only runs the image's own setup.
      .withWaitStrategy(Wait.forLogMessage('ready to accept connections', 2)),
  )
  const place = `${container.getHost()}:${container.getMappedPort(5432)}`
  return asServer(container, `postgres://tripline:${password}@${place}/tripline`, images.postgres)
}

/** Redis in a container. */
export async function startRedisContainer(): Promise<Server> {
  const container = await start(new GenericContainer(images.redis).withExposedPorts(6379))
  return asServer(container, `redis://${container.getHost()}:${container.getMappedPort(6379)}`, images.redis)
}

/** NATS with JetStream in a container, with the users of the configuration file. */
export async function startNatsContainer(configFile: string | undefined): Promise<Server> {
  const inside = '/etc/nats/users.conf'
  const config = configFile ? ['-c', inside] : []
  const container = await start(
    new GenericContainer(images.nats)
      .withCopyFilesToContainer(configFile ? [{ source: configFile, target: inside, mode: 0o444 }] : [])
      .withCommand(['-a', '0.0.0.0', '-p', '4222', '-js', '-sd', '/data', ...config])
      .withExposedPorts(4222)
      .withWaitStrategy(Wait.forLogMessage('Server is ready')),
  )
  return asServer(container, `nats://${container.getHost()}:${container.getMappedPort(4222)}`, images.nats)
}

async function start(container: GenericContainer): Promise<StartedTestContainer> {
  await getContainerRuntimeClient().catch((cause) => {
    throw new Error('TRIPLINE_DOCKER=1 asks for containers, but no container engine answers.', { cause })
  })
  return container.start()
}

function asServer(container: StartedTestContainer, url: string, image: string): Server {
  const start = async () => {
    throw new Error('A container that was stopped is gone')
  }
  return { url, how: `container of ${image}`, start, stop: async () => void (await container.stop()) }
}
