import { type CheckContext, checkCommand, findCommand } from './check-command.ts'
import {
  fewLegsFault,
  legTypeFault,
  nestedGroupFault,
  noLegsFault,
  unequalLegsFault,
} from './command-fault.ts'
import type { CommandSpec } from './command-table.ts'
import { isSameNumber } from './number-text.ts'
import { addProblem } from './problem.ts'
import { reportStrays } from './stray.ts'
import type { BodySyntax, CommandSyntax } from './syntax.ts'
import { limitFault } from './syntax-fault.ts'
import type { Amount, Command, LegCommand } from './tree.ts'

const legLimit = 10

/** Returns the oco with its legs; undefined, and a problem, if something is wrong with it. */
export function checkOco(
  context: CheckContext,
  spec: CommandSpec,
  syntax: CommandSyntax,
): Command | undefined {
  if (!syntax.body && !syntax.isBroken) addProblem(context.problems, syntax.name, noLegsFault())
  // Values without a name are probably the legs, written where they cannot stand.
  if (!syntax.body && syntax.args.some(({ name }) => name === undefined)) return undefined
  const group = checkCommand(context, spec, syntax)
  if (!syntax.body) return undefined
  const legs = checkLegs(context, syntax, syntax.body)
  if (group?.type !== 'oneCancelsOther' || legs.length !== syntax.body.commands.length) return undefined
  const isUnequal = group.mode !== 'reduce' && legs.some((leg) => differsInSize(leg, legs[0]))
  if (isUnequal) addProblem(context.problems, syntax.name, unequalLegsFault())
  return { ...group, legs }
}

function checkLegs(context: CheckContext, { name }: CommandSyntax, body: BodySyntax): LegCommand[] {
  const { problems } = context
  const legs = body.commands.map((leg) => {
    const errorsBefore = problems.errors.length
    const checked = checkLeg(context, leg)
    reportStrays(context, leg, problems.errors.length > errorsBefore)
    return checked
  })
  const count = legs.filter((leg) => leg !== 'group').length
  const isGroupsOnly = count === 0 && legs.includes('group')
  if (count < 2 && !body.isBroken && !isGroupsOnly) addProblem(problems, name, fewLegsFault(count))
  const surplus = body.commands[legLimit]
  if (surplus) addProblem(problems, surplus.name, limitFault(`${legLimit} legs in an oco`))
  return legs.filter((leg) => typeof leg === 'object')
}

function checkLeg(context: CheckContext, syntax: CommandSyntax): LegCommand | 'group' | 'refused' {
  const spec = findCommand(context, syntax)
  if (!spec) return 'refused'
  if (spec.takesBody) {
    addProblem(context.problems, syntax.name, nestedGroupFault())
    return 'group'
  }
  if (spec.type !== 'limit' && spec.type !== 'stopOrder' && !context.isUnclosed) {
    addProblem(context.problems, syntax.name, legTypeFault(spec))
    return 'refused'
  }
  const leg = checkCommand(context, spec, syntax)
  return leg?.type === 'limit' || leg?.type === 'stopOrder' ? leg : 'refused'
}

function differsInSize(leg: LegCommand, other: LegCommand | undefined): boolean {
  return differs(leg.amount, other?.amount) || differs(leg.position, other?.position)
}

// Sizes on different bases can only be compared where prices and balances are known.
function differs(a: Amount | undefined, b: Amount | undefined): boolean {
  if (!a || !b || a.basis !== b.basis || a.coin !== b.coin) return false
  return !isSameNumber(a.value, b.value)
}
