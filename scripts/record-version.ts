import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { permissions } from '@tripline/proto/permission'
import { z } from 'zod'
import { contracts } from '../testkit/wire/contracts.ts'
import { messagesFile, schemasFile } from '../testkit/wire/version-before.ts'
import { readArguments } from './arguments.ts'
import { versionFile } from './infra/nats-config.ts'
import { runCommand } from './infra/run-command.ts'
import { rootDir } from './paths.ts'

readArguments({
  help: `npm run record-version
Records this version as the one before, when it is released: what its processes may do on the bus, how they read each
message, and a message of each kind as tests of the whole product see it.`,
})
const commit = (await runCommand('git', ['-C', rootDir, 'rev-parse', 'HEAD'])).trim()
writeFileSync(versionFile, `${JSON.stringify({ commit, permissions }, undefined, 2)}\n`)
const schemas = [...contracts].map(([of, contract]) => {
  const schema = z.toJSONSchema(contract, { io: 'input', unrepresentable: 'any', reused: 'ref' })
  return JSON.stringify({ of, schema })
})
writeFileSync(schemasFile, `${schemas.join('\n')}\n`)
rmSync(messagesFile, { force: true })
const env = { ...process.env, TRIPLINE_RECORD: '1' }
await runCommand(process.execPath, [path.join(rootDir, 'scripts/test.ts'), 'e2e/specification/07-calls-of'], {
  env,
})
