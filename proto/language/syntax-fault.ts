import type { Fault, Range } from './problem.ts'

const quotedLimit = 40

/** The text in quotes, cut where it is long. */
export function quoted(text: string): string {
  if (/^["']/.test(text)) return text.slice(0, quotedLimit)
  return text.length > quotedLimit ? `"${text.slice(0, quotedLimit)}..."` : `"${text}"`
}

export function commentedOutFault(): Fault {
  return {
    code: 'N801',
    cause: 'this block is commented out and is not run',
    expected: 'Without the comment mark before it, it would run',
  }
}

export function strayCommandFault(command: string): Fault {
  return {
    code: 'E103',
    cause: `${quoted(command)} stands outside of a block, which a "}" before it has closed`,
    expected: 'Commands stand between the braces of Bot(SYMBOL) { ... }',
  }
}

export function limitFault(limit: string): Fault {
  return { code: 'E109', cause: `more than ${limit}`, expected: `The limit is ${limit}` }
}

/** The block has no `}`; it ends, as far as can be known, at `end`. */
export function unclosedBlockFault(swallowing: string | undefined, end: number): Fault {
  return {
    code: 'E102',
    cause: 'the block that opens here is not closed',
    expected:
      swallowing === undefined
        ? 'A "}" after its last command closes it'
        : `A "}" closes it; the one in ${quoted(swallowing)} is part of a comment`,
    mend: { text: ' }', start: end, end },
  }
}

/** Behind a line's last value neither a comma nor a parenthesis stands. */
export function missingCommaFault(command: string, end: number): Fault {
  return {
    code: 'E106',
    cause: `the values of ${quoted(command)} break off at the end of a line`,
    expected: 'A comma separates them, and a ")" ends them',
    mend: { text: ',', start: end, end },
  }
}

export function unclosedCallFault(command: string, end: number): Fault {
  return {
    code: 'E106',
    cause: `the "(" of ${quoted(command)} is not closed`,
    expected: 'A ")" ends its values',
    mend: { text: ')', start: end, end },
  }
}

export function unclosedQuoteFault(written: string): Fault {
  const quote = written.charAt(0)
  return {
    code: 'E107',
    cause: `the quote ${written.slice(0, quotedLimit)} is not closed`,
    expected: `A ${quote} ends it on the same line`,
  }
}

export function placeholderFault(placeholder: string): Fault {
  return {
    code: 'E108',
    cause: `the placeholder ${quoted(placeholder)} was not filled in`,
    expected:
      'Strategy placeholders are filled in only in alerts of strategies, and none in the text of alert() calls',
  }
}

export function emptyArgumentFault({ start, end }: Range): Fault {
  return {
    code: 'E110',
    cause: 'nothing stands before this comma',
    expected: 'A value stands before every comma',
    mend: { text: '', start, end },
  }
}

export function missingValueFault(name: string): Fault {
  return {
    code: 'E110',
    cause: `"${name}=" has no value`,
    expected: 'A value stands behind the "="',
    parameter: name,
  }
}

export function colonFault(name: string, value: string): Fault {
  return {
    code: 'E110',
    cause: `${quoted(`${name}:`)} is not how a parameter is named`,
    expected: 'A parameter and its value are joined by "="',
    suggestion: `${name}=${value}`,
    parameter: name,
  }
}

/** A side is no name: what stands behind its colon is the next value. */
export function colonAsCommaFault(side: string, value: string): Fault {
  return {
    code: 'E110',
    cause: `${quoted(`${side}:`)} is not how values are separated`,
    expected: 'A comma separates them, as in market(buy, 0.01)',
    suggestion: `${side}, ${value}`,
  }
}

export function secondTypeFault(): Fault {
  return { code: 'E207', cause: '"type" is given twice', parameter: 'type' }
}

export function missingTypeFault(key: string): Fault {
  return {
    code: 'E208',
    cause: `"${key}=" belongs to no command`,
    expected: 'One of the pairs names the command, for example type=market, side=buy, amount=0.01',
    parameter: 'type',
  }
}
