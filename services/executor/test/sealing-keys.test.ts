import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { openBucket, readBucket } from '@tripline/kit/bus/bucket'
import { sendRequest } from '@tripline/kit/bus/request'
import {
  generateSealingPair,
  readOpeningKeys,
  readSealingKeys,
  seal,
  unseal,
} from '@tripline/kit/crypto/seal'
import { diagnoseBots } from '@tripline/proto/executor-request'
import { UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { credentialContext, SealedCredentials } from '@tripline/proto/user-config'
import { waitFor } from '@tripline/testkit/wait-for'
import { rigOfTest } from './rig-of-test.ts'

const rig = rigOfTest()

/** Seals the credentials of the bot again, as linking it again does. */
async function linkAgain(privateKeys: string, publicKey: string): Promise<void> {
  const credentials = await openBucket(rig.ops, 'credentials')
  const [entry] = await readBucket(rig.ops, 'credentials')
  const { sealed, ...ids } = SealedCredentials.parse(JSON.parse(entry?.text ?? 'null'))
  const context = credentialContext({ ...ids, exchange: 'paper', isTestnet: false })
  const [key] = readSealingKeys(publicKey)
  if (key === undefined) throw new Error('no sealing key')
  const again = seal(key, unseal(readOpeningKeys(privateKeys), sealed, context), context)
  await credentials.put(ids.botId, JSON.stringify({ ...ids, sealed: again }))
}

test('a sealing key is replaced: the one before opens until its bots are linked again', async () => {
  const former = rig.config.SEAL_PRIVATE_KEYS
  const next = generateSealingPair('next')
  rig.config.SEAL_PRIVATE_KEYS = `${next.privateText},${former}`
  const first = await rig.startExecutor()
  const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })

  await linkAgain(former, next.publicText)
  await first.stop()
  rig.config.SEAL_PRIVATE_KEYS = next.privateText
  await rig.startExecutor()
  const later = await rig.send('MyBot(BTCUSDT) { market(sell, 0.01) }')
  expect(await rig.resultOf(later)).toMatchObject({ status: 'success' })
}, 120_000)

test('before a bot trades with other credentials its lease says that the order may be broken', async () => {
  const isInOrder = async (): Promise<unknown> => {
    const lease = await (await openBucket(rig.ops, 'leases')).get(`${partitionOf(rig.userId)}`)
    return JSON.parse(lease?.text ?? 'null').inOrder
  }
  const warmTimes = async (): Promise<number> =>
    (await rig.clientStates()).filter((state) => state === 'warm').length
  const next = generateSealingPair('next')
  const former = rig.config.SEAL_PRIVATE_KEYS
  rig.config.SEAL_PRIVATE_KEYS = `${next.privateText},${former}`
  await rig.startExecutor()
  await waitFor(async () => (await warmTimes()) === 1)
  expect(await isInOrder()).toEqual(expect.any(String))
  await linkAgain(former, next.publicText)
  await waitFor(async () => (await warmTimes()) === 2)
  expect(await isInOrder()).toBeUndefined()
}, 120_000)

test('credentials that cannot be opened are reported, by every executor anew, until they are others', async () => {
  const contract = diagnoseBots(partitionOf(rig.userId))
  const problems = async (userId = rig.userId) => (await sendRequest(rig.ops, contract, { userId })).bots
  const credentials = await openBucket(rig.ops, 'credentials')
  const [{ text = 'null' } = {}] = await readBucket(rig.ops, 'credentials')
  const { sealed, ...ids } = SealedCredentials.parse(JSON.parse(text))
  const useless = [{ botId: ids.botId, problem: expect.stringContaining('link the key again') }]
  await credentials.put(ids.botId, JSON.stringify({ ...ids, sealed: `${sealed.slice(0, -8)}AAAAAAAA` }))
  const first = await rig.startExecutor()
  await waitFor(async () => (await problems()).length > 0)
  expect(await problems()).toEqual(useless)
  expect(await problems(UserId.parse(randomUUID()))).toEqual([])
  expect(await rig.plan('MyBot(BTCUSDT) { balance }')).toMatchObject([
    { outcome: 'refused', error_code: 'E406', error: expect.stringContaining('link the key again') },
  ])

  await first.stop()
  await rig.startExecutor()
  await waitFor(async () => (await problems()).length > 0)
  expect(await problems()).toEqual(useless)

  await credentials.put(ids.botId, text)
  await waitFor(async () => (await rig.clientStates()).at(-1) === 'warm')
  expect(await problems()).toEqual([])
}, 120_000)
