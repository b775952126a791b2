import { addProblem } from '../problem.ts'
import { type FieldRules, type Fields, readFields } from './fields.ts'
import { noListFault, refusedFieldFault } from './format-fault.ts'

/**
 * Returns the only entry of a list of take-profits; several would need orders that end each other in steps, which is a
 * problem.
 */
export function onlyTarget(fields: Fields, path: string, rules: FieldRules): Fields | undefined {
  const { problems } = fields
  const list = fields.nodes.get(path)
  if (list === undefined) return undefined
  if (list.kind !== 'list') {
    addProblem(problems, list, noListFault(path))
    return undefined
  }
  const [target, second] = list.items
  if (second)
    addProblem(
      problems,
      second,
      refusedFieldFault(path, 'one take-profit ends the whole position, and several are not supported'),
    )
  return target && readFields(target, rules, problems, `${path}[].`)
}
