import { z } from 'zod'
import { CommandStatus } from './command-result.ts'
import { UserId } from './id.ts'
import { requestContract } from './request.ts'

const Execution = z.object({
  id: z.string(),
  alertId: z.string(),
  createdAt: z.iso.datetime(),
  label: z.string().nullable(),
  exchange: z.string().nullable(),
  symbol: z.string().nullable(),
  status: z.enum(['success', 'partial', 'failed', 'running']),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  totalMs: z.number().nullable(),
  message: z.string(),
  commands: z.array(
    z.object({
      type: z.string(),
      params: z.record(z.string(), z.string()),
      status: CommandStatus,
      executionTimeMs: z.number().nullable(),
      errorCode: z.string().nullable(),
      error: z.string().nullable(),
      result: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
})
/** One execution as history tells of it. */
export type Execution = z.infer<typeof Execution>

/** A page of a user's executions, newest first; filters that are left out do not filter. */
export const listExecutions = requestContract(
  'history.execution.list',
  z.object({
    userId: UserId,
    offset: z.int().min(0),
    limit: z.int().min(1).max(100),
    label: z.string().optional(),
    exchange: z.string().optional(),
    symbol: z.string().optional(),
    commandType: z.string().optional(),
    status: z.enum(['success', 'partial', 'failed', 'running']).optional(),
  }),
  z.object({ executions: z.array(Execution), total: z.int() }),
)
