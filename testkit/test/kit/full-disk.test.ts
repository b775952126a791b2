import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { connectBus, store } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { startOwnNats } from '../../infra/nats.ts'
import { runCommand } from '../../infra/run-command.ts'
import { temporaryFolder } from '../../infra/temporary-folder.ts'
import { testLog } from '../../log.ts'
import { waitFor } from '../../wait-for.ts'

const whereDisksAreMade = process.platform === 'linux' && process.getuid?.() === 0 ? test : test.skip

whereDisksAreMade(
  'a stream on a full disk is known to refuse writes',
  async () => {
    const { folder, remove } = await temporaryFolder()
    const disk = path.join(folder, 'disk')
    await mkdir(disk)
    await runCommand('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=755', 'tmpfs', disk])
    const server = await startOwnNats({ dataDir: disk, maxFileStore: '30GB' })
    const bus = await connectBus({ url: server.url, user: 'ops', log: testLog('bus'), patienceMs: 10_000 })
    try {
      await ensureStreams(bus, { replicas: 1 })
      const storeEvent = async (messageId: string) =>
        await store(bus, 'event.user.bot', 'x'.repeat(3000), { messageId, attemptMs: 300, deadlineMs: 1500 })
      await waitFor(async () => await storeEvent('first').then(() => true))
      expect(bus.refusing()).toEqual([])
      // It ends where nothing is left.
      await runCommand('dd', ['if=/dev/zero', `of=${path.join(disk, 'fill')}`, 'bs=4k']).catch(
        () => undefined,
      )
      let sent = 0
      await waitFor(async () => {
        await storeEvent(`${++sent}`).catch(() => undefined)
        return bus.refusing().includes('EVENTS')
      })
      // The server is as connected as before.
      await waitFor(() => bus.isReady())
    } finally {
      await bus.close()
      await server.stop()
      await runCommand('umount', ['-l', disk])
      await remove()
    }
  },
  60_000,
)
