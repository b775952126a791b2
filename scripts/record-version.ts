import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { permissions } from '@tripline/proto/permission'
import { versionFile } from '@tripline/testkit/infra/nats-config'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { rootDir } from '@tripline/testkit/paths'
import { contracts } from '@tripline/testkit/wire/contracts'
import { messagesFile, schemasFile } from '@tripline/testkit/wire/version-before'
import { z } from 'zod'
import { readArguments } from './arguments.ts'

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
