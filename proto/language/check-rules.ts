import { conflictFault, missingFault, replacedFault } from './command-fault.ts'
import type { CommandSpec, WrittenName } from './command-table.ts'
import type { Placement } from './place-arguments.ts'
import { addProblem, type Problems } from './problem.ts'
import type { CommandSyntax } from './syntax.ts'

/** One command with its arguments in place, on its way to the tree. */
export interface Draft extends Placement {
  readonly spec: CommandSpec
  readonly syntax: CommandSyntax
  readonly problems: Problems
  values: Map<WrittenName, unknown>
}

/** Checks what a command's parameters say together, and gives them the form they have in the tree. */
export function checkRules(draft: Draft): void {
  checkRequired(draft)
  for (const names of draft.spec.exclusive) checkExclusive(draft, names)
  checkPostOnly(draft)
  dropReplaced(draft)
  if (draft.spec.type === 'cancel') completeCancel(draft)
}

function checkRequired({ spec, syntax, placed, isComplete, problems }: Draft): void {
  if (!isComplete) return
  const missing = spec.required.filter((alternatives) => !alternatives.some((name) => placed.has(name)))
  if (missing.length > 0) addProblem(problems, syntax.name, missingFault(spec, missing))
}

function checkExclusive({ spec, placed, problems }: Draft, names: readonly WrittenName[]): void {
  const [first, second] = [...placed.keys()].filter((name) => names.includes(name))
  const argument = second && placed.get(second)
  if (first && argument) addProblem(problems, argument, conflictFault(spec, [first, second]))
}

function checkPostOnly({ spec, placed, values, problems }: Draft): void {
  const tif = placed.get('tif')
  const isTaker = values.get('tif') === 'ioc' || values.get('tif') === 'fok'
  if (tif && isTaker && values.get('postOnly') === true) {
    addProblem(problems, tif, conflictFault(spec, ['postOnly', 'tif']))
  }
}

function dropReplaced({ placed, values, problems }: Draft): void {
  if (!placed.has('position')) return
  const replaced = (['side', 'amount'] as const).filter((name) => placed.has(name))
  for (const name of replaced) values.delete(name)
  const [first] = replaced
  const argument = first && placed.get(first)
  if (argument) addProblem(problems, argument, replacedFault(replaced))
}

/** The parameter that each choice of orders needs; where it is written, the choice may be left out. */
const saidBy = { tagged: 'tag', order: 'order' } as const

function completeCancel({ spec, syntax, placed, values, isComplete, problems }: Draft): void {
  const said = Object.entries(saidBy).filter(([, name]) => placed.has(name))
  if (!placed.has('which')) values.set('which', said[0]?.[0] ?? 'all')
  const which = values.get('which')
  const needed = which === 'tagged' || which === 'order' ? saidBy[which] : undefined
  if (needed && !placed.has(needed) && isComplete)
    addProblem(problems, syntax.name, missingFault(spec, [[needed]]))
  const other = said.find(([choice]) => choice !== which)?.[1]
  const argument = other && placed.get(other)
  if (argument && which !== undefined)
    addProblem(problems, argument, conflictFault(spec, [needed ?? 'which', other]))
}
