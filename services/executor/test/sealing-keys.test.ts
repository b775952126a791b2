import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openBucket, readBucket } from '@tripline/kit/bucket'
import { generateSealingPair, readOpeningKeys, readSealingKeys, seal, unseal } from '@tripline/kit/seal'
import { credentialContext, SealedCredentials } from '@tripline/proto/user-config'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await buildRig()
})
afterEach(async () => await rig.stop())

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
