import { NothingToDo } from '@tripline/proto/command-result'
import { z } from 'zod'
import { numbersInText } from '../../shared/number-text.ts'
import type { Notice, Toast } from '../../ui/toast.ts'
import type { Sent } from './send-message.ts'
import { completedText, partlyExecutedText, terminalTexts } from './texts.ts'

const Reply = z.object({
  status: z.string().optional(),
  error: z.string().nullish(),
  message: z.string().nullish(),
  error_code: z.string().nullish(),
  detail: z.unknown().optional(),
  results: z
    .array(
      z.object({
        commands: z.array(z.object({ success: z.boolean() })),
        results: z
          .array(z.object({ error_code: z.string().nullish(), result: z.unknown().optional() }))
          .default([]),
      }),
    )
    .default([]),
})
type Reply = z.infer<typeof Reply>

interface ExecutionNotice extends Notice {
  level: keyof Toast
  /** Of the first thing that went wrong, where it has one. */
  code?: string
}

/** Returns the notice about a message that was sent. */
export function executionNotice(sent: Sent): ExecutionNotice {
  if (sent.outcome === 'unanswered') {
    return failed(terminalTexts.requestFailure.title, sent.error || terminalTexts.requestFailure.fallback)
  }
  const reply = Reply.safeParse(sent.body).data ?? { results: [] }
  if (sent.httpStatus >= 400)
    return failed(terminalTexts.requestFailure.title, refusalText(reply), codeOf(reply))
  if (reply.status === 'accepted') return { level: 'remark', ...terminalTexts.accepted }
  if (reply.status === 'partial') return partial(reply)
  if (reply.status !== 'success') {
    const message = reply.error || reply.message || terminalTexts.failure.fallback
    return failed(terminalTexts.failure.title, message, codeOf(reply))
  }
  return (
    nothingDone(reply) ?? {
      level: 'success',
      title: terminalTexts.success.title,
      description: countText(reply),
    }
  )
}

/** Returns the notice that nothing was placed, if each command found nothing to do. */
function nothingDone({ results }: Reply): ExecutionNotice | undefined {
  const found = results.flatMap((result) =>
    result.results.map(({ result: commandResult }) => NothingToDo.safeParse(commandResult).data),
  )
  const notes = found.flatMap((nothing) => (nothing && !nothing.ended?.length ? [nothing.note] : []))
  if (notes.length === 0 || notes.length < found.length) return undefined
  const { title, ending } = terminalTexts.nothing
  return {
    level: 'remark',
    title,
    description: `${numbersInText([...new Set(notes)].join('; '))}. ${ending}`,
  }
}

/** Says first what was done, so that nobody sends the whole message again. */
function partial(reply: Reply): ExecutionNotice {
  const { done, total } = countOf(reply)
  const code = codeOf(reply)
  return {
    level: 'warning',
    title: partlyExecutedText(done, total),
    description: numbersInText(reply.error || terminalTexts.failure.fallback),
    ...(code && { code }),
  }
}

function failed(title: string, description: string, code?: string): ExecutionNotice {
  return { level: 'error', title, description: numbersInText(description), ...(code && { code }) }
}

function codeOf({ error_code: code, results }: Reply): string | undefined {
  const commands = results.flatMap((result) => result.results)
  return code ?? commands.find(({ error_code: code }) => code)?.error_code ?? undefined
}

function refusalText({ detail, error, message }: Reply): string {
  const text = typeof detail === 'string' ? detail : detail === undefined ? '' : JSON.stringify(detail)
  return text || error || message || terminalTexts.requestFailure.fallback
}

function countText(reply: Reply): string {
  const { done, total } = countOf(reply)
  return total === 0 ? terminalTexts.success.fallback : completedText(done, total)
}

function countOf({ results }: Reply): { done: number; total: number } {
  const commands = results.flatMap((result) => result.commands)
  return { done: commands.filter(({ success }) => success).length, total: commands.length }
}
