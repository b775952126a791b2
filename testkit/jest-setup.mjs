import { startSharedServers } from './servers.ts'
import { bundleForTests } from './stack/test-bundles.ts'

// One run of jest has one set of servers, and the teardown is another module of the same process.
export default async function startServers({ maxWorkers }, { displayName }) {
  const isServices = displayName.name === 'services'
  // Files of the services start few processes of them, and run most in their own.
  const [stopServers, removeBundles] = await Promise.all([
    startSharedServers(isServices ? maxWorkers : 0),
    isServices ? undefined : bundleForTests(),
  ])
  globalThis.stopSharedServers = async () => {
    await stopServers()
    await removeBundles?.()
  }
}
