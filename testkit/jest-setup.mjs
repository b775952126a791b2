import { startSharedServers } from './servers.ts'

// One run of jest has one set of servers, and the teardown is another module of the same process.
export default async function startServers({ maxWorkers }, { displayName }) {
  const paperHosts = displayName.name === 'services' ? maxWorkers : 0
  globalThis.stopSharedServers = await startSharedServers(paperHosts)
}
