import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { rootDir } from '../paths.ts'

/** The folder of the record of the version that was released before this one; one JSON a line. */
const folder = path.join(rootDir, 'proto/before')
export const messagesFile = path.join(folder, 'messages.jsonl')
export const schemasFile = path.join(folder, 'schemas.jsonl')

const Message = z.object({
  /** The pattern of its subject. */
  of: z.string(),
  value: z.unknown(),
})
/** A message as it was sent or stored. */
export type Message = z.infer<typeof Message>

/** The schema of a pattern's messages. */
const Reader = z.object({ of: z.string(), schema: z.record(z.string(), z.unknown()) })

/** The messages that the version before was seen to write. */
export function messagesBefore(): Message[] {
  return linesOf(messagesFile).map((line) => Message.parse(JSON.parse(line)))
}

function readers(): z.infer<typeof Reader>[] {
  return linesOf(schemasFile).map((line) => Reader.parse(JSON.parse(line)))
}

/** The patterns of everything that the version before reads. */
export function kindsBefore(): string[] {
  return readers().map(({ of }) => of)
}

/** Returns why the version before cannot read a message; undefined where it can, or asks nothing of its kind. */
export type JudgeBefore = (message: Message) => string | undefined

/** Opens the readers of the version before. */
export function readersBefore(): JudgeBefore {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const checks = new Map(readers().map(({ of, schema }) => [of, ajv.compile(schema)]))
  return ({ of, value }) => {
    const check = checks.get(of)
    if (check === undefined || check(value)) return undefined
    return ajv.errorsText(check.errors)
  }
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}
