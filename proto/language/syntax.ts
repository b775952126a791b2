import type { Problem, Range } from './problem.ts'

/** A word and where it stands. */
export interface Word extends Range {
  text: string
}

/** A value as it was written, without its quotes. */
export interface ValueSyntax extends Word {
  /** The first `{{...}}` in it. */
  placeholder: Range | undefined
}

/** One argument; a value that cannot be judged, since a syntax error is in it, is undefined. */
export interface ArgumentSyntax extends Range {
  name: Word | undefined
  value: ValueSyntax | undefined
}

/** The syntax between the braces of a block or a group. */
export interface BodySyntax extends Range {
  commands: CommandSyntax[]
  /** Something in it could not be read, so what is missing may be there. */
  isBroken: boolean
  /** Its `}` is missing, so that what is behind it seems to be in it. */
  isUnclosed: boolean
}

/** One command as it was written, whichever of the forms it has. */
export interface CommandSyntax extends Range {
  name: Word
  args: ArgumentSyntax[]
  body: BodySyntax | undefined
  /** A syntax error is in it, which is reported; whatever else seems wrong with it may follow from that. */
  isBroken: boolean
  /** Texts behind it that are no command. */
  strays: Stray[]
}

/** Text where a command should begin. It may belong to the command before it, where something is wrong with that. */
export interface Stray extends Problem {
  /** A `;` or a new line is between them. */
  isApart: boolean
}

/** The syntax before the braces of a block: the line up to the `(`, and what is in the parentheses. */
export interface HeaderSyntax extends Range {
  /** The end of the text before `(`, on its line; the label is the end of it. */
  before: Word
  quotedLabel: Word | undefined
  symbol: Word
}

/** One block; without a header where only braces with commands were found. */
export interface BlockSyntax extends Range {
  header: HeaderSyntax | undefined
  body: BodySyntax
}

/** The blocks of a message, and what may explain that there are none. */
export interface MessageSyntax {
  blocks: BlockSyntax[]
  /** A `Name(SYMBOL)` that no `{` follows. */
  almostHeader: Range | undefined
}
