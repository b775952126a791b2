import { z } from 'zod'
import { type ParameterName, parameterNames } from '../language/tree.ts'
import { BlockPlan } from '../plan.ts'
import { AlertFormat } from '../user-config.ts'
import { DiagnosticView } from './webhook.ts'

/** `POST /api/commands/preview`. */
export const PreviewBody = z.object({
  message: z.string(),
  alert_format: AlertFormat.default('tripline').describe('as in the webhook configuration'),
})

const Written = z.union([z.string(), z.number(), z.boolean()]).optional()
const written = Object.fromEntries(parameterNames.map((name) => [name, Written])) as Record<
  ParameterName,
  typeof Written
>
const LegNotation = z.object({ t: z.string().describe('the type of the command'), ...written })
const CommandNotation = LegNotation.extend({ legs: z.array(LegNotation).optional() })

/** The meaning of a message, its diagnostics, and its present plan; no tree and no plan if it is refused. */
export const PreviewView = z.object({
  tree: z.array(
    z.object({
      label: z.string(),
      symbol: z.string(),
      perp: z.literal(true).optional(),
      cmds: z.array(CommandNotation),
    }),
  ),
  diagnostics: z.array(DiagnosticView),
  plan: z.array(BlockPlan),
})
