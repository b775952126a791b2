import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { createLog } from '@tripline/kit/telemetry/log'

/** The lean intake's message to the lean executor. */
export interface LeanAlert {
  id: string
  message: string
  receivedAt: number
}

export const leanStream = 'LEAN'
export const leanAlerts = 'lean.alert'
/** Returns the subject of the answer to an alert. */
export const leanResult = (id: string): string => `lean.result.${id}`

/** Connects to the bus of the lean processes, on which everybody may do everything. */
export async function connectLeanBus(url: string): Promise<Bus> {
  return await connectBus({ url, user: 'ops', log: createLog('bench', 'warn') })
}
