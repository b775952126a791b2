import { numbersInText } from '../../shared/number-text.ts'
import type { Fact } from './result-facts.ts'

// Names that people and exchanges give, which may look like numbers.
const names: readonly string[] = ['id', 'tag']

/** Returns what a command was asked, with numbers as people read them. */
export function askedFacts(params: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(params).map(([name, value]) => ({
    name,
    value: names.includes(name) ? value : numbersInText(value),
  }))
}
