import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { newBusSeed } from '@tripline/kit/bus/nkey'
import { generateKek } from '@tripline/kit/crypto/envelope'
import { generateSealingPair, readOpeningKeys } from '@tripline/kit/crypto/seal'
import type { BusUser } from '@tripline/proto/permission'
import { type BusSeeds, forEachBusUser } from './bus-seeds.ts'

/** The secrets of a data folder, each in a file that only its owner reads; files are named as settings want them. */
export interface LocalKeys {
  readonly busSeeds: BusSeeds
  busSeedFile(user: BusUser): string
  readonly sealPublicKeys: string
  readonly sealPrivateKeysFile: string
  readonly notifierSealPublicKeys: string
  readonly notifierSealPrivateKeysFile: string
  readonly kekFile: string
  readonly internalTokenFile: string
}

const executorKeyId = 'executor-1'
const notifierKeyId = 'notifier-1'

/** Returns the folder of a data folder's secrets. */
export function keysFolder(dataDir: string): string {
  const folder = path.join(dataDir, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The secrets of a data folder; those that are missing are made. */
export function localKeys(dataDir: string): LocalKeys {
  const folder = keysFolder(dataDir)
  const file = (name: string, make: () => string): string => ensureSecret(path.join(folder, name), make)
  const busSeedFile = (user: BusUser): string => file(`nats-${user}.seed`, newBusSeed)
  const sealPrivateKeysFile = file(
    'executor-seal.private',
    () => generateSealingPair(executorKeyId).privateText,
  )
  const notifierSealPrivateKeysFile = file(
    'notifier-seal.private',
    () => generateSealingPair(notifierKeyId).privateText,
  )
  return {
    busSeeds: forEachBusUser((user) => readFileSync(busSeedFile(user), 'utf8')),
    busSeedFile,
    sealPublicKeys: publicKeysOf(readFileSync(sealPrivateKeysFile, 'utf8')),
    sealPrivateKeysFile,
    notifierSealPublicKeys: publicKeysOf(readFileSync(notifierSealPrivateKeysFile, 'utf8')),
    notifierSealPrivateKeysFile,
    kekFile: file('kek', () => generateKek('kek-1')),
    internalTokenFile: file('internal-token', () => randomBytes(32).toString('hex')),
  }
}

/** The path of a secret, which is made and written if it is not there. */
export function ensureSecret(file: string, make: () => string): string {
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600 })
  return file
}

function publicKeysOf(privateText: string): string {
  return readOpeningKeys(privateText)
    .map(({ id, publicBytes }) => `${id}:${publicBytes.toString('base64url')}`)
    .join(',')
}
