import { type ParseArgsConfig, parseArgs } from 'node:util'
import { z } from 'zod'

/** The arguments that a command takes. */
interface Taken<Values extends z.ZodObject, Flag extends string> {
  /** The text of `--help`; it begins with the command as one writes it. */
  help: string
  /** Options that stand alone. */
  flags?: readonly Flag[]
  /** Options that have a value. */
  values?: Values
  /** The words that it takes besides; none unless it says so. */
  words?: readonly string[] | 'any'
}

/** The given arguments. */
interface Given<Values extends z.ZodObject, Flag extends string> {
  has: (flag: Flag) => boolean
  values: z.output<Values>
  words: readonly string[]
}

/** Thrown where a command cannot be run as it was given; its message is for the person who gave it. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

/**
 * Reads what this process was given. `--help` is answered, and whatever the command does not take is refused with exit
 * code 2: both end the process, so that a slip of the hand starts nothing.
 */
export function readArguments<Values extends z.ZodObject, Flag extends string>(
  taken: Taken<Values, Flag>,
): Given<Values, Flag> {
  try {
    const given = parseArguments(process.argv.slice(2), taken)
    if (given !== undefined) return given
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    console.error(error.message)
    process.exit(2)
  }
  console.log(taken.help)
  process.exit(0)
}

/** Returns what the arguments say; undefined where they ask for help. */
export function parseArguments<Values extends z.ZodObject, Flag extends string>(
  args: readonly string[],
  { flags = [], values: Values, words = [] }: Taken<Values, Flag>,
): Given<Values, Flag> | undefined {
  const named = Object.keys(Values?.shape ?? {})
  const { values, positionals } = parsed(args, flags, named)
  if (values['help'] === true) return undefined
  for (const word of positionals)
    if (words !== 'any' && !words.includes(word)) throw unknown(word, [...words])
  const read = (Values ?? z.object()).safeParse(values)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new ArgumentError(`--${issue?.path.join('.')}: ${issue?.message}. --help lists the options.`)
  }
  return {
    has: (flag) => values[flag] === true,
    values: read.data as z.output<Values>,
    words: positionals,
  }
}

function parsed(args: readonly string[], flags: readonly string[], named: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } }
  for (const flag of flags) options[flag] = { type: 'boolean' }
  for (const name of named) options[name] = { type: 'string' }
  const { tokens, values, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!Object.hasOwn(options, name))
      throw unknown(
        rawName,
        Object.keys(options).map((known) => `--${known}`),
      )
    const isFlag = options[name]?.type === 'boolean'
    if (isFlag && value !== undefined) throw new ArgumentError(`${rawName} stands alone.`)
    // Text that looks like an option was not meant as a value.
    if (!isFlag && (value === undefined || (!inlineValue && value.startsWith('-'))))
      throw new ArgumentError(`${rawName} needs a value.`)
  }
  return { values, positionals }
}

function unknown(word: string, known: readonly string[]): ArgumentError {
  const there = known.length > 0 ? `there is ${known.join(', ')}` : 'it takes options only'
  return new ArgumentError(`Unknown: ${word}; ${there}. --help explains each.`)
}
