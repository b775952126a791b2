// One half of the limit: stores each alert in a stream, as intake does, and answers with the other half's result.
import { randomUUID } from 'node:crypto'
import { subscribe } from '@tripline/kit/bus/bus'
import { connectLeanBus, type LeanAlert, leanAlerts, leanResult } from './lean-bus.ts'
import { openLeanDoor } from './lean-door.ts'
import type { LeanAnswer } from './lean-order.ts'

const timeoutMs = 60_000

process.once('disconnect', () => process.exit())
const bus = await connectLeanBus(process.env['LEAN_BUS_URL'] ?? '')
const waiting = new Map<string, (answer: LeanAnswer) => void>()
subscribe(bus, leanResult('*'), (text, subject) => {
  const id = subject.slice(leanResult('').length)
  waiting.get(id)?.(JSON.parse(text))
  waiting.delete(id)
})

openLeanDoor(async (message, receivedAt) => {
  const id = randomUUID()
  const alert: LeanAlert = { id, message, receivedAt }
  const { promise, resolve } = Promise.withResolvers<LeanAnswer>()
  waiting.set(id, resolve)
  await bus.publishStored({ subject: leanAlerts, payload: JSON.stringify(alert), messageId: id, timeoutMs })
  return await promise
})
